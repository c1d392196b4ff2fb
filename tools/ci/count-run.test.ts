import { expect, it } from 'vitest'
import { countRun } from './count-run.ts'

const tests = [
  { path: 'a.test.ts', title: 'a', status: 'passed' },
  { path: 'a.test.ts', title: 'b', status: 'passed' },
  { path: 'a.test.ts', title: 'c', status: 'notRun' },
] as const
const good = { tests, brokenFiles: [] }
const bad = {
  tests: [...tests, { path: 'a.test.ts', title: 'd', status: 'failed' } as const],
  brokenFiles: [{ path: 'e', message: '' }],
}

it.each([
  ['every test and every other step', good, ['check', 'test', 'drill'], undefined, { passed: 4, failed: 0 }],
  ['failed tests and broken files, not their step', bad, ['check'], 'test', { passed: 3, failed: 2 }],
  ['a step that failed before the tests', undefined, [], 'check', { passed: 0, failed: 1 }],
  ['a step that failed after them', good, ['check', 'test'], 'drill', { passed: 3, failed: 1 }],
  ['tests that cannot have run', undefined, ['check', 'test'], undefined, { passed: 1, failed: 1 }],
  ['tests that left no results', undefined, ['check'], 'test', { passed: 1, failed: 1 }],
])('counts %s', (_what, results, passedSteps, failedStep, count) => {
  expect(countRun({ results, passedSteps, failedStep })).toEqual(count)
})
