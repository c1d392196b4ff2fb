import { expect, it } from 'vitest'
import type { TeamSpend } from '../../api/reports.ts'
import { costCenterLines, memberLines, modelLines, percentOf, tagLines, teamLines, totalOf } from './report-lines.ts'

const team = (special: Partial<TeamSpend>): TeamSpend => ({
  teamId: 't',
  name: 'Research',
  costCenterCode: null,
  spend: 1,
  requests: 2,
  tokens: 3,
  sharePct: 50,
  monthlyBudget: null,
  budgetUtilizationPct: null,
  models: [],
  ...special,
})

it('adds up the teams of a cost center exactly, the dearest first', () => {
  const lines = costCenterLines([
    team({ name: 'One', costCenterCode: 'CC-1', spend: '0.000000001' }),
    team({ name: 'Two', costCenterCode: 'CC-2', spend: '0.1' }),
    team({ name: 'Three', costCenterCode: 'CC-2', spend: '0.2' }),
    team({ teamId: null, name: null, spend: 7, requests: 1, tokens: 1 }),
  ])
  expect(lines).toEqual([
    {
      id: 'none',
      name: 'No cost center',
      note: 'No team',
      spend: 7_000_000_000n,
      requests: 1,
      tokens: 1,
      budget: null,
    },
    { id: 'CC-2', name: 'CC-2', note: 'Two, Three', spend: 300_000_000n, requests: 4, tokens: 6, budget: null },
    { id: 'CC-1', name: 'CC-1', note: 'One', spend: 1n, requests: 2, tokens: 3, budget: null },
  ])
  expect(totalOf(lines)).toEqual({ spend: 7_300_000_001n, requests: 7, tokens: 10 })
})

it('names what has no team, and a team that was deleted', () => {
  const names = teamLines([team({}), team({ name: null }), team({ teamId: null, name: null })])
  expect(names.map(({ name }) => name)).toEqual(['Research', 'Deleted team', 'No team'])
  expect(teamLines([team({ monthlyBudget: 5 })])[0]?.budget).toBe(5_000_000_000n)
})

it('names members, those who left, and keys without a member', () => {
  const sums = { spend: 1, requests: 1, tokens: 1, team: null, monthlyBudget: 2, budgetUtilizationPct: 50 }
  const lines = memberLines([
    { memberId: 'm', user: { id: 'u', name: 'Ada', email: 'ada@example.com' }, ...sums },
    { memberId: 'n', user: null, ...sums },
    { memberId: null, user: null, ...sums, monthlyBudget: null },
  ])
  expect(lines.map(({ id, name, note, budget }) => [id, name, note, budget])).toEqual([
    ['m', 'Ada', 'ada@example.com', 2_000_000_000n],
    ['n', 'Deleted user', '', 2_000_000_000n],
    ['none', 'No member', 'Keys without a member', null],
  ])
})

it('counts the tokens of a model in both directions', () => {
  const [line] = modelLines([
    { model: 'a/b', spend: 1, sharePct: 100, requests: 1, promptTokens: 2, completionTokens: 3, avgPricePer1M: null },
  ])
  expect(line).toMatchObject({ name: 'a/b', requestsOf: { model: 'a/b' }, tokens: 5 })
})

it.each([
  [1n, 3n, '33.3%'],
  [3n, 3n, '100.0%'],
  [0n, 3n, '0.0%'],
  [0n, 0n, ''],
])('%s of %s is %s', (part, whole, percent) => {
  expect(percentOf(part, whole)).toBe(percent)
})

it('names a tag as requests do, and links to its requests', () => {
  const lines = tagLines([{ name: 'team', value: 'search', spend: 0.5, requests: 2, tokens: 5 }])
  const tag = 'team=search'
  expect(lines).toMatchObject([
    { id: tag, name: tag, requestsOf: { tag }, spend: 500_000_000n, requests: 2, tokens: 5 },
  ])
})
