import { expect, it } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { maximumCost } from './maximum-cost.ts'

const usd = (amount: number | null) => (amount === null ? null : nanoUsd(BigInt(amount)))
type Person = readonly [team: string | null, budget: number | null, count?: number]

it.each<[string, Person[], number | null, Record<string, number | null>, [number, number, number | null]]>([
  ['no one', [], null, {}, [0, 0, 0]],
  [
    'budgets',
    [
      [null, 10],
      [null, 5],
    ],
    null,
    {},
    [15, 0, 15],
  ],
  ['several people with one budget', [[null, 10, 3]], null, {}, [30, 0, 30]],
  [
    'a smaller organization budget',
    [
      [null, 10],
      [null, 5],
    ],
    12,
    {},
    [15, 0, 12],
  ],
  ['a larger organization budget', [[null, 10]], 12, {}, [10, 0, 10]],
  [
    'a person without a budget',
    [
      [null, 10],
      [null, null, 2],
    ],
    null,
    {},
    [10, 2, null],
  ],
  [
    'the same within an organization budget',
    [
      [null, 10],
      [null, null],
    ],
    50,
    {},
    [10, 1, 50],
  ],
  [
    'a smaller team budget',
    [
      ['t', 10],
      ['t', 5],
      [null, 1],
    ],
    null,
    { t: 8 },
    [16, 0, 9],
  ],
  ['a larger team budget', [['t', 10]], null, { t: 80 }, [10, 0, 10]],
  [
    'no budget in a team with one',
    [
      ['t', null],
      [null, 1],
    ],
    null,
    { t: 8 },
    [1, 1, 9],
  ],
  ['no budget in a team without one', [['t', null]], null, { t: null }, [0, 1, null]],
  ['a budget of zero', [[null, 0]], null, {}, [0, 0, 0]],
  ['an organization budget of zero', [[null, 7]], 0, {}, [7, 0, 0]],
])('counts %s', (_name, people, organization, teams, [memberBudgets, withoutBudget, monthly]) => {
  const budgeted = people.map(([teamId, budget, count = 1]) => ({ teamId, monthlyBudget: usd(budget), count }))
  const budgets = {
    organization: usd(organization),
    teams: new Map(Object.entries(teams).map(([id, most]) => [id, usd(most)])),
  }
  expect(maximumCost(budgeted, budgets)).toEqual({
    memberBudgets: usd(memberBudgets),
    withoutBudget,
    monthly: usd(monthly),
  })
})
