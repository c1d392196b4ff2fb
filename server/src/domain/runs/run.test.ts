import { describe, expect, it } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { parseRun } from './run.ts'
import { runStatus } from './run-status.ts'

describe('the headers of a run', () => {
  it.each([
    [{}, null],
    [{ run: ' job-1 ' }, { id: 'job-1', budget: null, parent: null, rules: null }],
    [
      { run: 'a', runBudget: '1.00' },
      { id: 'a', budget: 1_000_000_000n, parent: null, rules: null },
    ],
    [
      { run: 'a', runBudget: '2.5' },
      { id: 'a', budget: 2_500_000_000n, parent: null, rules: null },
    ],
    [
      { run: 'a', runBudget: '0.000000001' },
      { id: 'a', budget: 1n, parent: null, rules: null },
    ],
    [
      { run: 'a', runBudget: ' 999999999 ', parentRun: ' b ' },
      { id: 'a', budget: 999_999_999_000_000_000n, parent: 'b', rules: null },
    ],
  ])('%j', (sent, named) => {
    expect(parseRun(sent)).toEqual(named)
  })

  it.each([
    [{ runBudget: '1' }, 'need X-Weir-Run'],
    [{ parentRun: 'a' }, 'need X-Weir-Run'],
    [{ runRules: 'repeats=1' }, 'need X-Weir-Run'],
    [{ run: 'a', runRules: 'repeats=0' }, 'X-Weir-Run-Rules'],
    [{ run: 'a', runRules: 'repeats=1000001' }, 'X-Weir-Run-Rules'],
    [{ run: 'a', runRules: 'repeats=1,repeats=2' }, 'X-Weir-Run-Rules'],
    [{ run: 'a', runRules: 'loops=1' }, 'X-Weir-Run-Rules'],
    [{ run: '' }, 'The X-Weir-Run header must be the id of a run: 1 to 128 letters'],
    [{ run: 'a', parentRun: 'b c' }, 'The X-Weir-Parent-Run header must be the id of a run'],
    [{ run: 'a', parentRun: 'a' }, 'cannot be its own parent'],
    [
      { run: 'a', runBudget: '0.000' },
      'The X-Weir-Run-Budget header must be an amount in USD above zero with at most nine decimals, such as 1.00.',
    ],
    [{ run: 'a', runBudget: '' }, 'must be an amount in USD above zero'],
    [{ run: 'a', runBudget: '1e3' }, 'must be an amount in USD above zero'],
    [{ run: 'a', runBudget: '0.0000000019' }, 'at most nine decimals'],
    [{ run: 'a', runBudget: '1000000000' }, 'must be an amount in USD above zero'],
  ])('refuse %j', (sent, message) => {
    expect(() => parseRun(sent)).toThrow(message)
  })
})

describe('the status of a run', () => {
  const run = { budget: nanoUsd(10n), spent: nanoUsd(4n), held: nanoUsd(5n), isStopped: false }
  it.each([
    [{}, 'running'],
    [{ held: nanoUsd(6n) }, 'spent'],
    [{ held: null, spent: nanoUsd(10n) }, 'spent'],
    [{ budget: null }, 'running'],
    [{ held: nanoUsd(6n), isStopped: true }, 'stopped'],
  ])('%o is %s', (change, status) => {
    expect(runStatus({ ...run, ...change })).toBe(status)
  })
})
