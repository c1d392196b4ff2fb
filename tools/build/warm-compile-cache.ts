import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runCommand } from '../lib/run-command.ts'

/**
 * These run until they need Postgres. That also compiles the functions called by then, not only the code that runs when
 * a module is loaded.
 */
const commandsRun = ['gateway', 'worker', 'status', 'doctor', 'provider list', 'catalogue list', '--help']

/** Modules that a gateway or command loads after it has reached Postgres, by the first word of the file name. */
const loadedLater = ['create-auth', 'list-models']

/**
 * Compiles the modules of the build once and keeps the result beside them. It works for the same Node version and user;
 * others fill their own cache at the first start, if they can write there.
 */
export async function warmCompileCache(folder: string): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-warm-'))
  const env = {
    ...cacheOf(folder),
    WEIR_SECRET: 'pW4xZr8vKq2mTn6bYc9dHs3fJg7lLa5e',
    // Nothing listens on this port.
    WEIR_POSTGRES_URL: 'postgres://postgres@127.0.0.1:1/weir',
    WEIR_REDIS_URL: 'redis://127.0.0.1:1',
    WEIR_DATA_DIR: dataDir,
  }
  try {
    for (const words of commandsRun) {
      const command = [process.execPath, join(folder, 'bin/weir.js'), ...words.split(' ')]
      const { code, output } = await runCommand(command, { cwd: folder, env })
      if (code !== 0 && !/Postgres is unavailable/.test(output)) throw new Error(`weir ${words} fails:\n${output}`)
    }
    await loadLater(folder)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function loadLater(folder: string): Promise<void> {
  const files = readdirSync(join(folder, 'server')).filter((file) => file.endsWith('.js'))
  const imports = loadedLater.map((name) => {
    const file = files.find((each) => each.startsWith(`${name}-`))
    if (file === undefined) throw new Error(`The build has no module ${name}.`)
    return `await import('${pathToFileURL(join(folder, 'server', file)).href}')`
  })
  const { code, output } = await runCommand([process.execPath, '--input-type=module', '-e', imports.join(';')], {
    cwd: folder,
    env: cacheOf(folder),
  })
  if (code !== 0) throw new Error(`The modules of the build cannot be loaded:\n${output}`)
}

function cacheOf(folder: string): Record<string, string> {
  return { NODE_COMPILE_CACHE: join(folder, 'compile-cache'), NODE_COMPILE_CACHE_PORTABLE: '1' }
}
