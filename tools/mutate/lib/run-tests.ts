import { mkdirSync, rmSync } from 'node:fs'
import { join, posix } from 'node:path'
import { repositoryRoot } from '../../lib/repository-root.ts'
import { runCommand } from '../../lib/run-command.ts'
import { findVitestResults, type VitestResults } from '../../lib/vitest-results.ts'

export type TestOptions = {
  /** Test files, from the repository's root. */
  readonly paths: readonly string[]
  /** Whether the first red test ends the run. */
  readonly untilFirst?: boolean
  /** After which a test or hook is red; without it, as the configuration says. */
  readonly timeoutMs?: number
}

/** Runs test files of a copy of the tree. A run that wrote no results is an error: nothing was tested. */
export async function runTests(
  root: string,
  { paths, untilFirst = false, timeoutMs }: TestOptions,
): Promise<VitestResults> {
  const resultsPath = join(root, '.weir', 'mutate-results.json')
  mkdirSync(join(root, '.weir'), { recursive: true })
  rmSync(resultsPath, { force: true })
  const files = paths.map((path) => posix.relative('server', path))
  const timeouts = timeoutMs === undefined ? [] : [`--testTimeout=${timeoutMs}`, `--hookTimeout=${timeoutMs}`]
  const options = ['--reporter=json', `--outputFile=${resultsPath}`, ...(untilFirst ? ['--bail=1'] : []), ...timeouts]
  // Packages are shared with the tree that was copied, and so is what Node compiled of them.
  const env = { NODE_COMPILE_CACHE: join(repositoryRoot, '.weir', 'compile-cache') }
  const command = ['vitest', 'run', ...options, ...files]
  for (let turn = 1; ; turn += 1) {
    const { code, output } = await runCommand(command, { cwd: join(root, 'server'), env })
    const results = findVitestResults(resultsPath)
    if (results !== undefined) return results
    // A run that somebody ended from outside says nothing of the tests.
    if (code < signalled || turn === turnsMax)
      throw new Error(`vitest ended with ${code} and wrote no results:\n${output}`)
  }
}

/** Shells and programs say by 128 and more which signal has ended them. */
const signalled = 128
const turnsMax = 3
