import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { repositoryRoot } from '../lib/repository-root.ts'
import { runCommand } from '../lib/run-command.ts'
import { buildInto } from './build-into.ts'

/**
 * `npm run build [-- --keep-sites]` writes to `dist` everything that a machine needs besides Node to run Weir.
 * `--keep-sites` reuses the console and documentation of the previous build.
 */
const { values } = parseArgs({ options: { 'keep-sites': { type: 'boolean', default: false } } })
const scripts = values['keep-sites'] ? [] : ['console:build', 'docs:build']

for (const script of scripts) {
  const { code } = await runCommand(['npm', 'run', '--silent', script], { cwd: repositoryRoot, show: true })
  if (code !== 0) throw new Error(`npm run ${script} failed`)
}
const folder = join(repositoryRoot, 'dist')
await buildInto(folder, { console: join(repositoryRoot, 'console/dist'), docs: join(repositoryRoot, 'docs/dist') })
console.log(`built ${folder}`)
