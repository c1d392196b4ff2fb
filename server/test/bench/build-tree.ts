import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Builds the server of a tree as `npm run build` does, with empty pages in place of the console and the documentation.
 * Returns the program. A folder with a build is kept as it is.
 */
export function buildTree(root: string, folder: string): string {
  const program = join(folder, 'bin/weir.js')
  if (existsSync(program)) return program
  const unfinished = `${folder}.unfinished`
  const sites = { console: join(folder, '../empty-site'), docs: join(folder, '../empty-site') }
  mkdirSync(sites.console, { recursive: true })
  writeFileSync(join(sites.console, 'index.html'), '')
  const script = `
    const { buildInto } = await import('${pathToFileURL(join(root, 'tools/build/build-into.ts')).href}')
    await buildInto(${JSON.stringify(unfinished)}, ${JSON.stringify(sites)})`
  // Nothing is measured yet, so the build may use both cores.
  const command = ['-c', '0,1', process.execPath, '--input-type=module', '-e', script]
  execFileSync('taskset', command, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  renameSync(unfinished, folder)
  return program
}

/** A build brings its own compiled modules; the bench's cache would take their place. */
export const ownCompileCache = { NODE_COMPILE_CACHE: '' }
