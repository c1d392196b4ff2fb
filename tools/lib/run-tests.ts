import { mkdirSync, rmSync } from 'node:fs'
import { join, posix } from 'node:path'
import { repositoryRoot } from './repository-root.ts'
import { runCommand } from './run-command.ts'
import { findVitestResults, type VitestResults } from './vitest-results.ts'

export type TestOptions = {
  /** Test files, from the repository's root. */
  readonly paths: readonly string[]
  /** Whether the first red test ends the run. */
  readonly untilFirst?: boolean
  /** After which a test or hook is red; without it, as the configuration says. */
  readonly timeoutMs?: number
}

/** Runs test files of a tree, which may be a copy. A run that wrote no results is an error: nothing was tested. */
export async function runTests(
  root: string,
  { paths, untilFirst = false, timeoutMs }: TestOptions,
): Promise<VitestResults> {
  const resultsPath = join(root, '.weir', 'run-tests.json')
  mkdirSync(join(root, '.weir'), { recursive: true })
  rmSync(resultsPath, { force: true })
  const files = paths.map((path) => posix.relative('server', path))
  const timeouts = timeoutMs === undefined ? [] : [`--testTimeout=${timeoutMs}`, `--hookTimeout=${timeoutMs}`]
  const options = ['--reporter=json', `--outputFile=${resultsPath}`, ...(untilFirst ? ['--bail=1'] : []), ...timeouts]
  // A copy shares packages with the tree that was copied, and so what Node compiled of them.
  const env = { NODE_COMPILE_CACHE: join(repositoryRoot, '.weir', 'compile-cache') }
  const { code, output } = await runCommand(['vitest', 'run', ...options, ...files], { cwd: join(root, 'server'), env })
  const results = findVitestResults(resultsPath)
  if (results === undefined) throw new Error(`vitest ended with ${code} and wrote no results:\n${output}`)
  return results
}
