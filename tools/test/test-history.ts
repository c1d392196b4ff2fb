import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isRecord } from '../lib/is-record.ts'

const runsMax = 200

/** One run of `npm test`, as a line of the history. */
export type TestRun = {
  readonly date: string
  /** With a plus where the working tree differed from it. */
  readonly commit: string
  readonly isStress: boolean
  readonly seconds: number
  /** How many test files ran. */
  readonly files: number
  /** The files that failed, from the repository's root. */
  readonly failed: readonly string[]
}

/** Adds a run to the history and returns all that it then has: the last 200 runs, oldest first. */
export function recordRun(path: string, run: TestRun): TestRun[] {
  const runs = [...parseHistory(existsSync(path) ? readFileSync(path, 'utf8') : ''), run].slice(-runsMax)
  mkdirSync(dirname(path), { recursive: true })
  // Written beside and moved, so that an interrupted run leaves the old history whole.
  writeFileSync(`${path}.new`, runs.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  renameSync(`${path}.new`, path)
  return runs
}

/** Lines that are no run are left out; a history is no reason to fail. */
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
