import { describe, expect, it } from 'vitest'
import type { Usage } from '../../api/usage.ts'
import { sharesOf } from './shares-of.ts'

const row = (spend: string) => ({ spend, requests: '3', tokens: '70' })

function usageOf(total: string, ...spends: string[]): Usage {
  const usage = {
    totals: { spend: total },
    byModel: spends.map((spend, index) => ({ ...row(spend), model: `m${index}` })),
    byKey: spends.map((spend, index) => ({ ...row(spend), keyId: `k${index}`, keyName: `Key ${index}` })),
    byApp: spends.map((spend, index) => ({ ...row(spend), appName: index === 0 ? null : `App ${index}` })),
    byMember: spends.map((spend, index) => ({ ...row(spend), memberId: index === 0 ? null : `p${index}`, name: null })),
    byTeam: spends.map((spend, index) => ({ ...row(spend), teamId: index === 0 ? null : `t${index}`, teamName: null })),
    byTag: spends.map((spend, index) => ({ ...row(spend), name: 'team', value: `t${index}` })),
  }
  return usage as unknown as Usage
}

describe('Q12: a share', () => {
  it.each([
    ['3', ['1', '2'], [333n, 667n]],
    ['2000', ['1', '1999'], [1n, 1_000n]],
    ['2001', ['1', '2000'], [0n, 1_000n]],
    ['8', ['1', '7'], [125n, 875n]],
    ['16', ['1', '15'], [63n, 938n]],
    ['0', ['0'], [0n]],
    ['0.000000003', ['0.000000001', '0.000000002'], [333n, 667n]],
  ])('of %s, spent by %j, is rounded to the nearest tenth of a percent', (total, spends, permille) => {
    for (const by of ['model', 'key', 'app', 'member', 'team', 'tag'] as const) {
      expect(sharesOf(usageOf(total, ...spends), by).map((share) => share.permille)).toEqual(permille)
    }
  })

  it('has the name and figures of its row', () => {
    const usage = usageOf('3', '1', '2')
    const figures = { requests: 3, tokens: 70 }
    expect(sharesOf(usage, 'model')[0]).toMatchObject({ id: 'm0', name: 'm0', nano: 1_000_000_000n, ...figures })
    expect(sharesOf(usage, 'key')[1]).toMatchObject({ id: 'k1', name: 'Key 1', nano: 2_000_000_000n, ...figures })
    expect(sharesOf(usage, 'app').map(({ name }) => name)).toEqual(['Not specified', 'App 1'])
    expect(sharesOf(usage, 'tag')[1]).toMatchObject({ id: 'team=t1', name: 'team=t1' })
  })
})

it('names usage of shared keys, without a team, and of members and teams that are gone', () => {
  const usage = usageOf('2', '1', '1')
  expect(sharesOf(usage, 'member').map(({ name }) => name)).toEqual(['Shared keys', 'Former member'])
  expect(sharesOf(usage, 'team').map(({ name }) => name)).toEqual(['No team', 'Deleted team'])
  const { byMember: _members, byTeam: _teams, ...personal } = usage
  expect([sharesOf(personal as Usage, 'member'), sharesOf(personal as Usage, 'team')]).toEqual([[], []])
})
