import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord } from '../lib/is-record.ts'
import { repositoryRoot } from '../lib/repository-root.ts'

export const fileTimesPath = join(repositoryRoot, '.weir', 'test-files.json')

/** The result of one test file in a run. `path` is relative to the repository's root. */
export type FileTime = {
  readonly path: string
  /** Includes imports and hooks. */
  readonly seconds: number
  readonly tests: number
  readonly hasFailed: boolean
}

/** Reads the output of `FileTimesReporter`, or returns undefined if there is none, as after a crash. */
export function findFileTimes(): FileTime[] | undefined {
  if (!existsSync(fileTimesPath)) return undefined
  const content: unknown = JSON.parse(readFileSync(fileTimesPath, 'utf8'))
  return Array.isArray(content) ? content.filter(isRecord).map(parseFileTime) : undefined
}

function parseFileTime(entry: Record<string, unknown>): FileTime {
  return {
    path: String(entry.path),
    seconds: Number(entry.seconds),
    tests: Number(entry.tests),
    hasFailed: entry.hasFailed === true,
  }
}
