import { mkdirSync, rmSync } from 'node:fs'
import { join, posix } from 'node:path'
import { repositoryRoot } from './repository-root.ts'
import { runCommand } from './run-command.ts'
import { findVitestResults, type VitestResults } from './vitest-results.ts'

export type TestOptions = {
  /** Test files, relative to the repository's root. */
  readonly paths: readonly string[]
  /** Whether the first failed test ends the run. */
  readonly untilFirst?: boolean
  /** Time limit of a test or hook. Without it, the configuration's limit applies. */
  readonly timeoutMs?: number
}

/** Runs test files of a tree, which may be a copy. A run without results is an error: nothing was tested. */
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
  // A copy shares its packages with the original tree, so it can also share Node's compile cache.
  const env = { NODE_COMPILE_CACHE: join(repositoryRoot, '.weir', 'compile-cache') }
  const { code, output } = await runCommand(['vitest', 'run', ...options, ...files], { cwd: join(root, 'server'), env })
  const results = findVitestResults(resultsPath)
  if (results === undefined) throw new Error(`vitest ended with ${code} and wrote no results:\n${output}`)
  return results
}
