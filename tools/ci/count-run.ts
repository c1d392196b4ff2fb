import type { VitestResults } from '../lib/vitest-results.ts'

/**
 * What a whole run comes to. Each test counts, and so does each other step; the step `test` stands for its tests and
 * counts by itself only where it failed and no test or file says so, as after a crash.
 */
export function countRun(run: RunOutcome): { passed: number; failed: number } {
  const tests = run.results?.tests ?? []
  const passedTests = tests.filter(({ status }) => status === 'passed').length
  const failedTests = tests.filter(({ status }) => status === 'failed').length + (run.results?.brokenFiles.length ?? 0)
  const passedSteps = run.passedSteps.filter((step) => step !== 'test').length
  // Tests that are said to have passed and left no results did not run.
  const areResultsMissing = run.results === undefined && run.passedSteps.includes('test')
  const isStepCounted = run.failedStep !== undefined && !(run.failedStep === 'test' && failedTests > 0)
  return {
    passed: passedTests + passedSteps,
    failed: failedTests + (isStepCounted ? 1 : 0) + (areResultsMissing ? 1 : 0),
  }
}

type RunOutcome = {
  /** Undefined when the tests were not reached, or crashed. */
  readonly results: VitestResults | undefined
  readonly passedSteps: readonly string[]
  readonly failedStep: string | undefined
}
