import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runCommand } from '../lib/run-command.ts'

/** What a gateway, a worker or a command loads at its start, by the first word of the file's name. */
const loadedAtStart = ['run-command-line', 'gateway', 'worker', 'create-auth', 'o200k_base']

/**
 * Lets Node compile the modules of the build once and keep the result beside them. It serves the same version of Node under the same user; any other
 * fills a cache of its own at the first start, if it can write there.
 */
export async function warmCompileCache(folder: string): Promise<void> {
  const files = readdirSync(join(folder, 'server')).filter((file) => file.endsWith('.js'))
  const imports = loadedAtStart.map((name) => {
    const file = files.find((each) => each.startsWith(`${name}-`))
    if (file === undefined) throw new Error(`The build has no module ${name}.`)
    return `await import('${pathToFileURL(join(folder, 'server', file)).href}')`
  })
  const { code, output } = await runCommand([process.execPath, '--input-type=module', '-e', imports.join(';')], {
    cwd: folder,
    env: { NODE_COMPILE_CACHE: join(folder, 'compile-cache'), NODE_COMPILE_CACHE_PORTABLE: '1' },
  })
  if (code !== 0) throw new Error(`The modules of the build cannot be loaded:\n${output}`)
}
