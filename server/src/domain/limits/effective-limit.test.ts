import { describe, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { effectiveLimit } from './effective-limit.ts'

const now = Date.parse('2027-03-10T12:00:30Z')
const usd = parseUsd
const wallet = { balance: usd('10'), held: usd('1'), creditLine: usd('0.5') }
const window = (kind: string, limit: string, taken: string) => ({
  kind,
  ownerId: 'owner',
  startsAtMs: 0,
  limit: usd(limit),
  taken: usd(taken),
})

describe('the effective limit of a key', () => {
  it('is the wallet where nothing else is tighter', () => {
    const { effective, limits } = effectiveLimit(
      { walletId: 'wallet' },
      { wallet, windows: [window('key_day', '20', '1')] },
      now,
    )
    expect(effective).toEqual({
      kind: 'wallet',
      ownerId: 'wallet',
      isBreaker: false,
      limit: usd('10.5'),
      taken: usd('1'),
      left: usd('9.5'),
      resetsAtMs: null,
    })
    expect(limits.map(({ kind }) => kind)).toEqual(['wallet', 'key_day'])
  })

  it('is the window with the least left, and the first of those that have the same', () => {
    const windows = [window('key_week', '5', '1'), window('member_month', '4', '3'), window('team_month', '2', '1')]
    const { effective, limits } = effectiveLimit({ walletId: 'wallet' }, { wallet, windows }, now)
    expect(effective).toMatchObject({ kind: 'member_month', left: usd('1') })
    expect(limits.map(({ resetsAtMs }) => resetsAtMs)).toEqual([
      null,
      Date.parse('2027-03-15T00:00:00Z'),
      Date.parse('2027-04-01T00:00:00Z'),
      Date.parse('2027-04-01T00:00:00Z'),
    ])
  })

  it('is no breaker, which is shown beside it', () => {
    const windows = [window('user_minute', '0.5', '0.4'), window('key_life', '3', '0')]
    const { effective, limits } = effectiveLimit({ walletId: 'wallet' }, { wallet, windows }, now)
    expect(effective).toMatchObject({ kind: 'key_life', left: usd('3'), resetsAtMs: null })
    expect(limits[1]).toMatchObject({ isBreaker: true, left: usd('0.1'), resetsAtMs: now + 30_000 })
  })

  it('has nothing left, and not less, where more was taken than allowed', () => {
    const overdrawn = { balance: usd('-1'), held: usd('0'), creditLine: usd('0') }
    const { effective, limits } = effectiveLimit(
      { walletId: 'wallet' },
      { wallet: overdrawn, windows: [window('key_day', '1', '1.5')] },
      now,
    )
    expect(effective.kind).toBe('wallet')
    expect(limits.map(({ left }) => left)).toEqual([0n, 0n])
  })
})
