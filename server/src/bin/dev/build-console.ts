import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Builds the console if it was never built, which takes a few seconds. To edit the console, use `npm run console:dev`.
 * The gateway works without the console, so a failed build is only reported.
 */
export async function buildConsole(
  root: string,
  { isWanted }: { isWanted: boolean },
): Promise<'built' | 'nothing to do'> {
  if (!isWanted || existsSync(join(root, 'console/dist/index.html'))) return 'nothing to do'
  const build = spawn('npm', ['run', '--silent', 'console:build'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(build, 'exit')
  if (code === 0) return 'built'
  process.stderr.write('Building the console failed; run `npm run console:build` to see why.\n')
  return 'nothing to do'
}
