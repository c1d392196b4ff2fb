import { existsSync, mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { findChangedFiles } from '../lib/changed-files.ts'
import { countOf } from '../lib/count-of.ts'
import { parseChangedOption } from '../lib/parse-changed-option.ts'
import { repositoryRoot } from '../lib/repository-root.ts'
import { runCommand } from '../lib/run-command.ts'
import { type Check, chooseChecks } from './choose-checks.ts'

/** `npm run check [-- --changed [REF]]`: format, lint, types, import rules and style guide. */
const startedMs = performance.now()
const { isChanged, reference } = parseChangedOption(process.argv.slice(2))
const changed = isChanged ? findChangedFiles(repositoryRoot, reference) : undefined
if (changed !== undefined) console.log(`${countOf(changed.paths.length, 'file')} changed (${changed.span})`)
mkdirSync(join(repositoryRoot, '.weir'), { recursive: true })

const checks = chooseChecks(
  {
    node: process.execPath,
    cores: availableParallelism(),
    buildInfo: join(repositoryRoot, '.weir', 'types.tsbuildinfo'),
  },
  changed?.paths.map((path) => ({ path, exists: existsSync(join(repositoryRoot, path)) })),
)
// All at once: each is a separate process, and together they take as long as the slowest.
const verdicts = await Promise.all(checks.map(runCheck))
const failed = verdicts.filter((passed) => !passed).length
say('', 'total', performance.now() - startedMs)
console.log(`${verdicts.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

async function runCheck({ name, command }: Check): Promise<boolean> {
  if (command === null) {
    say('passed', name, 0)
    return true
  }
  const { code, output, elapsedMs } = await runCommand(command, { cwd: repositoryRoot })
  say(code === 0 ? 'passed' : 'FAILED', name, elapsedMs)
  if (code !== 0) console.log(output.trim().replace(/^/gm, '  '))
  return code === 0
}

function say(verdict: string, name: string, elapsedMs: number): void {
  const seconds = `${(elapsedMs / 1000).toFixed(1)} s`
  console.log(`${verdict.padEnd(6)}  ${name.padEnd(8)} ${seconds.padStart(7)}`)
}
