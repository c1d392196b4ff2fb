import { describe, expect, it } from 'vitest'
import { nanoUsd, parseUsd, zeroUsd } from '../money/nano-usd.ts'
import { judgeUnbilled, type UnbilledSums, unbilledAllowance } from './unbilled.ts'

const rules = { allowance: parseUsd('0.50'), percent: 5 }
const fresh: UnbilledSums = {
  left: zeroUsd,
  borne: zeroUsd,
  paidToday: zeroUsd,
  paidYesterday: zeroUsd,
  underWay: zeroUsd,
}
const sums = (change: Partial<Record<keyof UnbilledSums, string>>): UnbilledSums => ({
  ...fresh,
  ...Object.fromEntries(Object.entries(change).map(([name, usd]) => [name, parseUsd(usd)])),
})
const estimate = parseUsd('0.01')
const judge = (wallet: UnbilledSums, address: UnbilledSums = fresh) =>
  judgeUnbilled({ wallet, address, estimate }, rules)
const usual = { allowed: true, reserves: 'usual' }
const most = { allowed: true, reserves: 'most' }
const refused = (reason: string) => ({ allowed: false, reason })

describe('[B6] what callers leave without paying', () => {
  it.each([
    { paid: '0', allowance: '0.5' },
    { paid: '10', allowance: '0.5' },
    { paid: '10.00000002', allowance: '0.500000001' },
    { paid: '200', allowance: '10' },
  ])('may be worth $allowance where $paid was paid', ({ paid, allowance }) => {
    expect(unbilledAllowance(sums({ paidToday: paid }), rules)).toBe(parseUsd(allowance))
  })

  it('blocks the wallet when it is a billionth more than that, and not when it is as much', () => {
    const wallet = sums({ left: '0.5' })
    expect(judge(wallet)).toEqual(usual)
    expect(judge({ ...wallet, left: nanoUsd(wallet.left + 1n) })).toEqual(refused('left'))
    expect(judge(sums({ left: '0.6', paidToday: '12' }))).toEqual(usual)
    expect(judge(sums({ left: '0.6', paidYesterday: '12' }))).toEqual(refused('left'))
  })

  it('may be twenty times as much while it is under way, and less the more was left', () => {
    expect(judge(sums({ underWay: '10' }))).toEqual(usual)
    expect(judge(sums({ underWay: '10.01' }))).toEqual(refused('under way'))
    expect(judge(sums({ underWay: '5', left: '0.25' }))).toEqual(usual)
    expect(judge(sums({ underWay: '5.01', left: '0.25' }))).toEqual(refused('under way'))
    expect(judge(sums({ underWay: '100', paidYesterday: '60', paidToday: '40' }))).toEqual(usual)
  })

  it('never keeps a single request from being served, however dear', () => {
    expect(
      judgeUnbilled({ wallet: sums({ underWay: '99' }), address: fresh, estimate: parseUsd('99') }, rules),
    ).toEqual(usual)
  })

  it('of an address stops those there who leave answers or pay nothing, not those who pay', () => {
    const full = sums({ left: '0.51' })
    expect(judge(sums({ underWay: '0.01' }), full)).toEqual(usual)
    expect(judge(sums({ underWay: '0.02' }), full)).toEqual(refused('under way'))
    expect(judge(sums({ left: '0.01' }), full)).toEqual(refused('left'))
    expect(judge(sums({ underWay: '0.5', left: '0.01', paidToday: '1' }), full)).toEqual(usual)
    expect(judge(sums({ underWay: '0.02' }), sums({ underWay: '10.01' }))).toEqual(refused('under way'))
  })
})

describe('C4: what the operator bears for other causes', () => {
  it.each([
    { left: '0', borne: '0.5', paidToday: '0', verdict: usual },
    { left: '0', borne: '0.500000001', paidToday: '0', verdict: most },
    { left: '0.25', borne: '0.25', paidToday: '0', verdict: usual },
    { left: '0.25', borne: '0.250000001', paidToday: '0', verdict: most },
    { left: '0.5', borne: '9', paidToday: '0', verdict: most },
    { left: '0.500000001', borne: '0', paidToday: '0', verdict: refused('left') },
    { left: '0', borne: '0.6', paidToday: '12', verdict: usual },
    { left: '0.3', borne: '0.300000001', paidToday: '12', verdict: most },
  ])('shares one bound with what is left: $left and $borne of $paidToday paid', ({ verdict, ...wallet }) => {
    expect(judge(sums(wallet))).toEqual(verdict)
  })

  it('leaves less room for what is under way, until each request reserves the most', () => {
    expect(judge(sums({ underWay: '5', borne: '0.25' }))).toEqual(usual)
    expect(judge(sums({ underWay: '5.01', borne: '0.25' }))).toEqual(refused('under way'))
    expect(judge(sums({ underWay: '10', borne: '0.6' }))).toEqual(most)
    expect(judge(sums({ underWay: '10.01', borne: '0.6' }))).toEqual(refused('under way'))
  })

  it('at an address that has used it up takes the flat allowance from wallets there', () => {
    const full = sums({ borne: '0.51' })
    expect(judge(sums({ underWay: '0.01' }), full)).toEqual(usual)
    expect(judge(sums({ underWay: '0.02' }), full)).toEqual(refused('under way'))
    expect(judge(sums({ borne: '0.01' }), full)).toEqual(most)
    expect(judge(sums({ borne: '0.01', paidToday: '1' }), full)).toEqual(usual)
  })
})
