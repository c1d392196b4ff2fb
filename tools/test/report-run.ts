import { posix } from 'node:path'
import { alignColumns } from '../lib/align-columns.ts'
import { countOf } from '../lib/count-of.ts'
import type { FileTime } from './file-time.ts'
import type { TestRun } from './test-history.ts'

const rowsMax = 10

/** The slowest files, in aligned columns. */
export function reportSlowest(times: readonly FileTime[]): string[] {
  const slowest = times.toSorted((one, other) => other.seconds - one.seconds).slice(0, rowsMax)
  const rows = slowest.map(({ path, seconds, tests }) => [shown(path), seconds.toFixed(1), String(tests)])
  return rows.length === 0 ? [] : alignColumns([['slowest test files', 'seconds', 'tests'], ...rows])
}

/** The files that failed in the most runs, how often under stress, and when last. */
export function reportFailures(runs: readonly TestRun[]): string[] {
  const paths = [...new Set(runs.flatMap(({ failed }) => failed))]
  if (paths.length === 0) return [`no failure in the last ${countOf(runs.length, 'run')}`]
  const failures = paths.map((path) => ({ path, runs: runs.filter(({ failed }) => failed.includes(path)) }))
  const rows = failures
    .toSorted((one, other) => other.runs.length - one.runs.length || (one.path < other.path ? -1 : 1))
    .slice(0, rowsMax)
    .map(({ path, runs: failedRuns }) => {
      const underStress = failedRuns.filter(({ isStress }) => isStress).length
      const last = failedRuns.at(-1)
      return [
        shown(path),
        ...[failedRuns.length, underStress].map(String),
        `${last?.date.slice(0, 10)} ${last?.commit}`,
      ]
    })
  return alignColumns([[`failed in the last ${countOf(runs.length, 'run')}`, 'runs', 'under stress', 'last'], ...rows])
}

/** The form that vitest uses, so that it can be passed to `npm test`. */
const shown = (path: string) => posix.relative('server', path)
