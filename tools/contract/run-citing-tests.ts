import { mkdirSync, rmSync } from 'node:fs'
import { join, posix } from 'node:path'
import { listFiles } from '../lib/list-files.ts'
import { runCommand } from '../lib/run-command.ts'
import { isTest } from '../lib/source-file.ts'
import { findVitestResults, type VitestResults } from '../lib/vitest-results.ts'
import { citedIds } from './cited-ids.ts'

/** Runs only the test files whose text cites one of these clauses. */
export async function runCitingTests(root: string, ids: ReadonlySet<string>): Promise<VitestResults> {
  const paths = listFiles(root)
    .filter(({ path, text }) => path.startsWith('server/') && isTest(path) && citedIds(text).some((id) => ids.has(id)))
    .map(({ path }) => posix.relative('server', path))
  if (paths.length === 0) return { tests: [], brokenFiles: [] }

  const resultsPath = join(root, '.weir', 'contract-results.json')
  mkdirSync(join(root, '.weir'), { recursive: true })
  rmSync(resultsPath, { force: true })
  const command = ['vitest', 'run', '--reporter=json', `--outputFile=${resultsPath}`, ...paths]
  const { output } = await runCommand(command, { cwd: join(root, 'server') })
  const results = findVitestResults(resultsPath)
  if (results === undefined) throw new Error(`vitest wrote no results:\n${output}`)
  return results
}
