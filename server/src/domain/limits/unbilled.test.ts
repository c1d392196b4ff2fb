import { describe, expect, it } from 'vitest'
import { nanoUsd, parseUsd, zeroUsd } from '../money/nano-usd.ts'
import { judgeUnbilled, type UnbilledRequest, type UnbilledSums, unbilledAllowance } from './unbilled.ts'

const rules = { allowance: parseUsd('0.50'), percent: 5 }
const fresh: UnbilledSums = {
  left: zeroUsd,
  borne: zeroUsd,
  paidToday: zeroUsd,
  paidYesterday: zeroUsd,
  underWay: zeroUsd,
  atRisk: zeroUsd,
}
const sums = (change: Partial<Record<keyof UnbilledSums, string>>): UnbilledSums => ({
  ...fresh,
  ...Object.fromEntries(Object.entries(change).map(([name, usd]) => [name, parseUsd(usd)])),
})
const estimate = parseUsd('0.01')
const judge = (wallet: UnbilledSums, address: UnbilledSums = fresh, change: Partial<UnbilledRequest> = {}) =>
  judgeUnbilled({ wallet, address, estimate, isFunded: false, isUncounted: false, ...change }, rules)
const usual = { allowed: true, reserves: 'usual' }
const exact = { allowed: true, reserves: 'exact' }
const most = { allowed: true, reserves: 'most' }
const refused = (reason: string) => ({ allowed: false, reason })

describe('[B6] what clients leave without paying', () => {
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
    expect(judge(sums({ underWay: '99' }), fresh, { estimate: parseUsd('99') })).toEqual(usual)
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

describe('what running requests may still cost the operator', () => {
  it.each([
    { wallet: { atRisk: '0.5' }, verdict: usual },
    { wallet: { atRisk: '0.500000001' }, verdict: exact },
    { wallet: { atRisk: '0.2', left: '0.15', borne: '0.15' }, verdict: usual },
    { wallet: { atRisk: '0.2', left: '0.15', borne: '0.150000001' }, verdict: exact },
    { wallet: { atRisk: '0.6', paidToday: '12' }, verdict: usual },
    { wallet: { atRisk: '0.6', paidYesterday: '12' }, verdict: exact },
    { wallet: { atRisk: '0.1', borne: '0.6' }, verdict: most },
  ])('shares the limit with what it has cost: $wallet', ({ wallet, verdict }) => {
    expect(judge(sums(wallet))).toEqual(verdict)
  })

  it('at one address makes wallets there reserve exactly, and refuses none', () => {
    const risky = sums({ atRisk: '0.51' })
    expect(judge(sums({ atRisk: '0.01' }), risky)).toEqual(exact)
    expect(judge(sums({ borne: '0.6' }), risky)).toEqual(most)
    expect(judge(sums({ left: '0.6' }), risky)).toEqual(refused('left'))
  })
})

describe('an address that has used up its sum', () => {
  it.each([
    ['left', sums({ left: '0.51' })],
    ['borne', sums({ borne: '0.51' })],
    ['at risk', sums({ atRisk: '0.51' })],
    ['under way', sums({ underWay: '10.01' })],
  ])('changes nothing for a funded wallet with an untouched limit of its own: %s', (_name, address) => {
    const funded = { isFunded: true }
    expect(judge(sums({ underWay: '5', left: '0.1' }), address, funded)).toEqual(usual)
    expect(judge(sums({ atRisk: '0.5' }), address, funded)).toEqual(usual)
    expect(judge(sums({ left: '0.51' }), address, funded)).toEqual(refused('left'))
  })
})

it('input of unknown size is refused once a client that abandons answers has used up its limit', () => {
  const uncounted = { isUncounted: true }
  expect(judge(sums({ left: '0.01', borne: '0.48' }), fresh, uncounted)).toEqual(usual)
  expect(judge(sums({ left: '0.01', borne: '0.6' }), fresh, uncounted)).toEqual(refused('left'))
  expect(judge(sums({ left: '0.01', borne: '0.6' }))).toEqual(most)
  // The upstreams broke off, so the client is not at fault.
  expect(judge(sums({ borne: '0.6' }), fresh, uncounted)).toEqual(most)
})
