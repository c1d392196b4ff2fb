import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isRecord } from '../lib/is-record.ts'

const runsMax = 200

/** One run of `npm test`, as a line of the history. */
export type TestRun = {
  readonly date: string
  /** Ends with a plus if the working tree had uncommitted changes. */
  readonly commit: string
  readonly isStress: boolean
  readonly seconds: number
  /** Number of test files that ran. */
  readonly files: number
  /** The failed files, relative to the repository's root. */
  readonly failed: readonly string[]
}

/** Adds a run to the history and returns the last 200 runs, oldest first. */
export function recordRun(path: string, run: TestRun): TestRun[] {
  const runs = [...parseHistory(existsSync(path) ? readFileSync(path, 'utf8') : ''), run].slice(-runsMax)
  mkdirSync(dirname(path), { recursive: true })
  // Written to a new file and renamed, so that an interrupted run leaves the old history intact.
  writeFileSync(`${path}.new`, runs.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  renameSync(`${path}.new`, path)
  return runs
}

/** Skips malformed lines: a damaged history must not fail the run. */
export function parseHistory(text: string): TestRun[] {
  return text.split('\n').flatMap((line) => {
    const entry = parseJson(line)
    if (!isRecord(entry) || typeof entry.date !== 'string' || !Array.isArray(entry.failed)) return []
    return [
      {
        date: entry.date,
        commit: String(entry.commit),
        isStress: entry.isStress === true,
        seconds: Number(entry.seconds),
        files: Number(entry.files),
        failed: entry.failed.map(String),
      },
    ]
  })
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
