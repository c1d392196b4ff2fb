import { describe, expect, it } from 'vitest'
import type { Principal } from '#domain/access/principal.ts'
import { parseUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { isBreaker, limitedWindows, scopeOf, scopes } from './scopes.ts'

const nowMs = Date.parse('2026-03-01T10:11:12Z')
const unlimited: Principal = {
  keyId: 'key',
  keyName: '',
  keyType: 'standard',
  userId: 'user',
  organizationId: null,
  memberId: null,
  teamId: null,
  walletId: 'wallet',
  enabled: true,
  suspended: false,
  expiresAtMs: null,
  allowedCidrs: [],
  freeFallback: true,
  keyCap: null,
  breaker: null,
  organization: null,
  institutionSession: null,
  balance: zeroUsd,
}

describe('the windows of a caller', () => {
  it('are none without limits, so that nothing is counted', () => {
    expect(limitedWindows(unlimited, nowMs)).toEqual([])
  })

  it.each([
    [null, 'key_life', 0],
    ['day', 'key_day', Date.parse('2026-03-01')],
    ['week', 'key_week', Date.parse('2026-02-23')],
    ['month', 'key_month', Date.parse('2026-03-01')],
  ] as const)('[P15] hold the period of a key cap in their key: %s', (period, kind, startsAtMs) => {
    const limit = parseUsd('5')
    expect(limitedWindows({ ...unlimited, keyCap: { limit, period } }, nowMs)).toEqual([
      { kind, ownerId: 'key', startsAtMs, limit },
    ])
  })

  it('are two for a spend breaker, which belongs to the user', () => {
    const breaker = { minute: parseUsd('5'), hour: parseUsd('20') }
    expect(limitedWindows({ ...unlimited, breaker }, nowMs)).toEqual([
      { kind: 'user_minute', ownerId: 'user', startsAtMs: Date.parse('2026-03-01T10:11:00Z'), limit: breaker.minute },
      { kind: 'user_hour', ownerId: 'user', startsAtMs: Date.parse('2026-03-01T10:00:00Z'), limit: breaker.hour },
    ])
  })

  it('a breaker without a user limits nobody', () => {
    const breaker = { minute: parseUsd('5'), hour: parseUsd('20') }
    expect(limitedWindows({ ...unlimited, userId: null, breaker }, nowMs)).toEqual([])
  })
})

it('every scope is found by its kind, and no other', () => {
  for (const scope of scopes) expect(scopeOf(scope.kind)).toBe(scope)
  expect(scopeOf('wallet')).toBeUndefined()
})

it('[BREAKER-90] breakers are the limits of a minute and of an hour, which is how the store knows them', () => {
  for (const { kind } of scopes) expect(isBreaker(kind), kind).toBe(/_(?:minute|hour)$/.test(kind))
  expect(isBreaker('wallet')).toBe(false)
})
