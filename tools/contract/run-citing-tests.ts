import { listFiles } from '../lib/list-files.ts'
import { runTests } from '../lib/run-tests.ts'
import { isTest } from '../lib/source-file.ts'
import type { VitestResults } from '../lib/vitest-results.ts'
import { citedIds } from '../lib/cited-ids.ts'

/** Runs only the test files that cite one of these clauses. */
export async function runCitingTests(root: string, ids: ReadonlySet<string>): Promise<VitestResults> {
  const paths = listFiles(root)
    .filter(({ path, text }) => path.startsWith('server/') && isTest(path) && citedIds(text).some((id) => ids.has(id)))
    .map(({ path }) => path)
  return paths.length === 0 ? { tests: [], brokenFiles: [] } : runTests(root, { paths })
}
