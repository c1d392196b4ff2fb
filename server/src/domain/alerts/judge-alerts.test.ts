import { describe, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { alertWords, dollars } from './alert-words.ts'
import { type BudgetUse, judgeAlerts, type ToldAlert } from './judge-alerts.ts'

const walletId = '00000000-0000-7000-8000-000000000001'
const teamId = '00000000-0000-7000-8000-000000000002'
const rule = { balances: [parseUsd('20'), parseUsd('5')], budgetPercents: [75, 100] }

function team(spent: string, changes: Partial<BudgetUse> = {}): BudgetUse {
  const fixed = { kind: 'team_month', ownerId: teamId, name: 'Research', startsAtMs: 1_000, limit: parseUsd('50') }
  return { ...fixed, spent: parseUsd(spent), ...changes }
}

function judge(balance: string, { budgets = [], told = [] }: { budgets?: BudgetUse[]; told?: ToldAlert[] } = {}) {
  const verdict = judgeAlerts(rule, { walletId, balance: parseUsd(balance), budgets, told })
  return { ...verdict, words: verdict.tell.map(alertWords) }
}

const toldBalance = (usd: string): ToldAlert => ({
  kind: 'balance',
  ownerId: walletId,
  startsAtMs: 0,
  threshold: BigInt(parseUsd(usd)),
})
const toldTeam = (threshold: bigint, startsAtMs = 1_000): ToldAlert => ({
  kind: 'team_month',
  ownerId: teamId,
  startsAtMs,
  threshold,
})

describe('alerts', () => {
  it('of a balance come below a threshold, and not at it', () => {
    expect(judge('20')).toEqual({ tell: [], crossed: [], rearmed: [], words: [] })
    expect(judge('19.999999999')).toMatchObject({
      words: ['$19.99 left, below your alert threshold of $20.'],
      crossed: [toldBalance('20')],
    })
  })

  it('of several thresholds at once are one, about the lowest', () => {
    const { words, crossed } = judge('4')
    expect(words).toEqual(['$4 left, below your alert threshold of $5.'])
    expect(crossed).toEqual([toldBalance('20'), toldBalance('5')])
  })

  it('come once for each crossing, and again after the balance was above', () => {
    expect(judge('12', { told: [toldBalance('20')] })).toMatchObject({ words: [], crossed: [], rearmed: [] })
    expect(judge('3', { told: [toldBalance('20')] }).words).toEqual(['$3 left, below your alert threshold of $5.'])
    expect(judge('20', { told: [toldBalance('20'), toldBalance('5')] })).toMatchObject({
      words: [],
      rearmed: [toldBalance('20'), toldBalance('5')],
    })
    expect(judge('6', { told: [toldBalance('20'), toldBalance('5')] }).rearmed).toEqual([toldBalance('5')])
  })

  it('of a budget come at a share of it, in words', () => {
    expect(judge('99', { budgets: [team('37.49')] }).words).toEqual([])
    expect(judge('99', { budgets: [team('37.5')] }).words).toEqual([
      '$12.50 of $50 left in the monthly budget of the team Research.',
    ])
    const { words, crossed } = judge('99', { budgets: [team('60')] })
    expect(words).toEqual(['$0 of $50 left in the monthly budget of the team Research.'])
    expect(crossed).toEqual([toldTeam(75n), toldTeam(100n)])
    const key = team('50', { kind: 'key_life', name: 'ci' })
    expect(judge('99', { budgets: [key] }).words).toEqual(['$0 of $50 left in the limit of the key ci.'])
  })

  it('of a budget come once in a window, and again in the next or after it was raised', () => {
    const told = [toldTeam(75n)]
    expect(judge('99', { budgets: [team('40')], told })).toMatchObject({ words: [], rearmed: [] })
    expect(judge('99', { budgets: [team('50')], told })).toMatchObject({ crossed: [toldTeam(100n)] })
    expect(judge('99', { budgets: [team('40', { startsAtMs: 2_000 })], told })).toMatchObject({
      crossed: [toldTeam(75n, 2_000)],
      rearmed: told,
    })
    expect(judge('99', { budgets: [team('40', { limit: parseUsd('100') })], told })).toMatchObject({ rearmed: told })
    const other = team('40', { ownerId: walletId, name: 'Sales' })
    expect(judge('99', { budgets: [team('40'), other], told }).tell).toMatchObject([{ budget: { name: 'Sales' } }])
  })

  it.each([
    ['50', '$50'],
    ['12.4', '$12.40'],
    ['12.049', '$12.04'],
    ['0.009', '$0'],
    ['-0.05', '-$0.05'],
    ['-3', '-$3'],
    ['-0.001', '$0'],
  ])('write %s as %s', (usd, words) => {
    expect(dollars(parseUsd(usd))).toBe(words)
  })
})
