import { describe, expect, it } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { createReplay, createTally, type PastRequest, type ProposedControls } from './replay.ts'

const none: ProposedControls = {
  weeklyBudget: null,
  monthlyBudget: null,
  breaker: { minute: null, hour: null },
  allowedModels: null,
}
const nano = (amount: number) => nanoUsd(BigInt(amount))
// A Monday at midnight in UTC, within a month.
const mondayMs = Date.UTC(2026, 8, 14)
const minuteMs = 60_000

/** A request from `start` to `end` in seconds after that midnight. */
function past(start: number, end: number, amounts: { held: number; cost: number; model?: string }): PastRequest {
  return {
    id: `00000000-0000-7000-8000-${String(start).padStart(12, '0')}`,
    startedAtMs: mondayMs + start * 1_000,
    settledAtMs: mondayMs + end * 1_000,
    held: nano(amounts.held),
    cost: nano(amounts.cost),
    model: amounts.model ?? 'acme/model',
    memberId: null,
  }
}

function judgeAll(controls: Partial<ProposedControls>, requests: readonly PastRequest[]) {
  const replay = createReplay({ ...none, ...controls })
  return requests.map((request) => replay.judge(request))
}

describe('a budget', () => {
  it.each([
    ['has room for a hold that fills it', 100, [past(0, 1, { held: 100, cost: 0 })], [null]],
    ['refuses a hold that exceeds it by one', 99, [past(0, 1, { held: 100, cost: 0 })], ['monthly_budget']],
    [
      'counts what a running request holds',
      150,
      [past(0, 9, { held: 100, cost: 1 }), past(8, 9, { held: 100, cost: 1 })],
      [null, 'monthly_budget'],
    ],
    [
      'counts only the cost once it has settled, also in the same instant',
      150,
      [past(0, 8, { held: 100, cost: 50 }), past(8, 9, { held: 100, cost: 1 })],
      [null, null],
    ],
    [
      'does not count a request that it refused',
      150,
      [past(0, 9, { held: 151, cost: 151 }), past(1, 9, { held: 150, cost: 1 })],
      ['monthly_budget', null],
    ],
  ])('%s', (_title, amount, requests, verdicts) => {
    expect(judgeAll({ monthlyBudget: nano(amount) }, requests)).toEqual(verdicts)
  })

  it('begins anew with its week, and a request counts in the week of its start', () => {
    const week = 7 * 86_400
    const requests = [
      past(week - 1, week + 5, { held: 100, cost: 100 }),
      past(week, week + 1, { held: 100, cost: 100 }),
      past(week + 6, week + 7, { held: 1, cost: 1 }),
    ]
    expect(judgeAll({ weeklyBudget: nano(100) }, requests)).toEqual([null, null, 'weekly_budget'])
  })

  it('counts spend from before the first request in the same window only', () => {
    const replay = createReplay({ ...none, monthlyBudget: nano(100), weeklyBudget: nano(100) }, (length) =>
      nano(length === 'month' ? 1 : 0),
    )
    expect(replay.judge(past(0, 1, { held: 100, cost: 0 }))).toBe('monthly_budget')
  })
})

describe('a breaker', () => {
  it.each([
    [
      'refuses only once the spend has reached it',
      [past(0, 1, { held: 900, cost: 99 }), past(2, 3, { held: 900, cost: 1 }), past(4, 5, { held: 1, cost: 0 })],
      [null, null, 'minute_breaker'],
    ],
    [
      'counts the cost of a running request',
      [past(0, 9, { held: 900, cost: 100 }), past(1, 2, { held: 1, cost: 1 })],
      [null, 'minute_breaker'],
    ],
    [
      'begins anew with the next minute',
      [past(0, 1, { held: 100, cost: 100 }), past(60, 61, { held: 1, cost: 1 })],
      [null, null],
    ],
  ])('%s', (_title, requests, verdicts) => {
    expect(judgeAll({ breaker: { minute: nano(100), hour: null } }, requests)).toEqual(verdicts)
  })

  it('of an hour adds up its minutes', () => {
    const requests = [0, 60, 120].map((start) => past(start, start + 1, { held: 60, cost: 60 }))
    expect(judgeAll({ breaker: { minute: null, hour: nano(120) } }, requests)).toEqual([null, null, 'hour_breaker'])
  })
})

describe('allowed models', () => {
  it.each([
    [['acme/*'], 'acme/model', null],
    [['acme/model'], 'acme/model', null],
    [['acme/other'], 'acme/model', 'allowed_models'],
    [[], 'acme/model', null],
  ])('%j judge %s', (allowedModels, model, verdict) => {
    expect(judgeAll({ allowedModels }, [past(0, 1, { held: 1, cost: 1, model })])).toEqual([verdict])
  })

  it('refuse before any budget counts the request', () => {
    const requests = [past(0, 9, { held: 100, cost: 100, model: 'other/model' }), past(1, 9, { held: 100, cost: 100 })]
    expect(judgeAll({ allowedModels: ['acme/*'], monthlyBudget: nano(100) }, requests)).toEqual([
      'allowed_models',
      null,
    ])
  })
})

it('names the control with the least room', () => {
  const controls = { weeklyBudget: nano(10), monthlyBudget: nano(9) }
  expect(judgeAll(controls, [past(0, 1, { held: 11, cost: 0 })])).toEqual(['monthly_budget'])
})

it.each([
  [{ minute: nano(9), hour: nano(9) }, 9, 9, 'hour_breaker'],
  [{ minute: nano(9), hour: null }, 9, 9, 'minute_breaker'],
  [{ minute: null, hour: null }, 9, 9, 'monthly_budget'],
] as const)('names the first of limits with equal room, as holds do: %o', (breaker, month, week, name) => {
  const controls = { breaker, monthlyBudget: nano(month), weeklyBudget: nano(week) }
  const requests = [past(0, 1, { held: 9, cost: 9 }), past(2, 3, { held: 1, cost: 1 })]
  expect(judgeAll(controls, requests)).toEqual([null, name])
})

it('the tally counts by control, person and minute', () => {
  const tally = createTally()
  const refuse = (request: PastRequest, memberId: string | null) =>
    tally.add({ ...request, memberId }, 'monthly_budget')
  tally.add(past(0, 1, { held: 5, cost: 5 }), null)
  refuse(past(10, 11, { held: 5, cost: 5 }), 'ann')
  refuse(past(70, 71, { held: 5, cost: 6 }), 'bea')
  refuse(past(80, 81, { held: 5, cost: 7 }), 'bea')
  const result = tally.result()
  expect(result).toMatchObject({ requests: 4, refused: 3, refusedSpend: 18n, firstRefusedAtMs: mondayMs + 10_000 })
  expect(result.worstMinute).toEqual({ atMs: mondayMs + minuteMs, refused: 2 })
  expect([...result.byControl]).toEqual([['monthly_budget', 3]])
  expect(result.people).toEqual([
    { memberId: 'bea', refused: 2, spend: 13n },
    { memberId: 'ann', refused: 1, spend: 5n },
  ])
  expect(result.examples.map(({ cost }) => cost)).toEqual([7n, 6n, 5n])
})
