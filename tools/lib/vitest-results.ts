import { existsSync, readFileSync } from 'node:fs'
import { isRecord } from './is-record.ts'

/** Reads the output of vitest's JSON reporter, or returns undefined if there is none, as after a crash. */
export function findVitestResults(path: string): VitestResults | undefined {
  return existsSync(path) ? parseVitestResults(JSON.parse(readFileSync(path, 'utf8'))) : undefined
}

export type VitestResults = {
  readonly tests: readonly TestResult[]
  /** Files that failed without a failing test, for example because of a broken import. */
  readonly brokenFiles: readonly { readonly path: string; readonly message: string }[]
}

export type TestResult = {
  /** Path of the file, as vitest reports it. */
  readonly path: string
  readonly title: string
  readonly status: 'passed' | 'failed' | 'notRun'
  /** Why the test failed, if it did. */
  readonly message?: string
}

export function parseVitestResults(content: unknown): VitestResults {
  if (!isRecord(content) || !Array.isArray(content.testResults)) throw new Error('this is no vitest JSON result')
  const files = content.testResults.filter(isRecord).map((file) => ({
    path: String(file.name),
    hasFailed: file.status === 'failed',
    message: typeof file.message === 'string' ? file.message : '',
    tests: Array.isArray(file.assertionResults)
      ? file.assertionResults.filter(isRecord).map((test) => parseTest(String(file.name), test))
      : [],
  }))
  return {
    tests: files.flatMap(({ tests }) => tests),
    brokenFiles: files.filter(({ hasFailed, tests }) => hasFailed && !tests.some(({ status }) => status === 'failed')),
  }
}

function parseTest(path: string, test: Record<string, unknown>): TestResult {
  const status = test.status === 'passed' || test.status === 'failed' ? test.status : 'notRun'
  const [message] = Array.isArray(test.failureMessages) ? test.failureMessages : []
  return { path, title: String(test.fullName), status, ...(message === undefined ? {} : { message: String(message) }) }
}
