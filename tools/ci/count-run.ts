import type { VitestResults } from '../lib/vitest-results.ts'

/**
 * The totals of a whole run. Each test counts, and so does each other step. The step `test` counts only if it failed
 * without a failed test or file, as after a crash.
 */
export function countRun(run: RunOutcome): { passed: number; failed: number } {
  const tests = run.results?.tests ?? []
  const passedTests = tests.filter(({ status }) => status === 'passed').length
  const failedTests = tests.filter(({ status }) => status === 'failed').length + (run.results?.brokenFiles.length ?? 0)
  const passedSteps = run.passedSteps.filter((step) => step !== 'test').length
  // Tests that are reported as passed but left no results did not run.
  const areResultsMissing = run.results === undefined && run.passedSteps.includes('test')
  const isStepCounted = run.failedStep !== undefined && !(run.failedStep === 'test' && failedTests > 0)
  return {
    passed: passedTests + passedSteps,
    failed: failedTests + (isStepCounted ? 1 : 0) + (areResultsMissing ? 1 : 0),
  }
}

type RunOutcome = {
  /** Undefined if the tests did not run or crashed. */
  readonly results: VitestResults | undefined
  readonly passedSteps: readonly string[]
  readonly failedStep: string | undefined
}
