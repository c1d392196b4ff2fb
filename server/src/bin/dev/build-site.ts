import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** A website that the gateway serves from a folder of the clone. */
interface Site {
  readonly name: string
  readonly folder: string
  /** The npm script that builds it. */
  readonly script: string
}

export const consoleSite: Site = { name: 'console', folder: 'console/dist', script: 'console:build' }
export const docsSite: Site = { name: 'documentation', folder: 'docs/dist', script: 'docs:build' }

/**
 * Builds a website if it was never built. To edit the console, use `npm run console:dev`. The gateway works without
 * both, so a failed build is only reported.
 */
export async function buildSite(
  root: string,
  { name, folder, script }: Site,
  { isWanted }: { isWanted: boolean },
): Promise<'built' | 'nothing to do'> {
  if (!isWanted || existsSync(join(root, folder, 'index.html'))) return 'nothing to do'
  const build = spawn('npm', ['run', '--silent', script], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(build, 'exit')
  if (code === 0) return 'built'
  process.stderr.write(`Building the ${name} failed; run \`npm run ${script}\` to see why.\n`)
  return 'nothing to do'
}
