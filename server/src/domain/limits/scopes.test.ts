import { describe, expect, it } from 'vitest'
import type { Principal } from '#domain/access/principal.ts'
import { formatUsd, parseUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { isBreaker, limitedWindows, scopeOf, scopes } from './scopes.ts'
import type { SpendPeriod } from './spend-period.ts'

const nowMs = Date.parse('2026-03-01T10:11:12Z')
const unlimited: Principal = {
  keyId: 'key',
  keyName: '',
  keyType: 'standard',
  operatorRole: null,
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
  cacheTtlSeconds: null,
  keyCap: null,
  breaker: null,
  organization: null,
  institutionSession: null,
  customerToken: null,
  attribution: null,
  balance: zeroUsd,
}

describe('the windows of a client', () => {
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

  it('hold a key cap of a period that only a newer version knows for the whole life of the key', () => {
    const limit = parseUsd('5')
    const period: SpendPeriod = JSON.parse('"decade"')
    expect(limitedWindows({ ...unlimited, keyCap: { limit, period } }, nowMs)).toEqual([
      { kind: 'key_life', ownerId: 'key', startsAtMs: 0, limit },
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

const usd = (amount: number) => parseUsd(String(amount))

describe('an organization limits what a key of a member may spend', () => {
  // Each limit has a different amount.
  const member: Principal = {
    ...unlimited,
    userId: null,
    organizationId: 'organization',
    teamId: 'team',
    memberId: 'member',
    organization: {
      billing: 'prepaid',
      overdueInvoice: null,
      budgets: { memberMonth: usd(1), teamMonth: usd(2), organizationWeek: usd(3), organizationMonth: usd(4) },
      breakers: {
        member: { minute: usd(5), hour: usd(6) },
        team: { minute: usd(7), hour: usd(8) },
        organization: { minute: usd(9), hour: usd(10) },
      },
      allowedModels: [],
    },
    institutionSession: {
      id: 'session',
      personId: 'person',
      spendQuota: usd(11),
      personMonthQuota: usd(12),
      hasCountedQuota: false,
    },
  }

  it('in every layer that has a budget or breaker, and the session in its quota', () => {
    const shown = limitedWindows(member, nowMs).map(({ kind, ownerId, startsAtMs, limit }) =>
      [kind, ownerId, new Date(startsAtMs).toISOString().slice(0, 16), formatUsd(limit)].join(' '),
    )
    expect(shown).toEqual([
      'session_life session 1970-01-01T00:00 11',
      'person_month person 2026-03-01T00:00 12',
      'member_month member 2026-03-01T00:00 1',
      'team_month team 2026-03-01T00:00 2',
      'organization_week organization 2026-02-23T00:00 3',
      'organization_month organization 2026-03-01T00:00 4',
      'member_minute member 2026-03-01T10:11 5',
      'member_hour member 2026-03-01T10:00 6',
      'team_minute team 2026-03-01T10:11 7',
      'team_hour team 2026-03-01T10:00 8',
      'organization_minute organization 2026-03-01T10:11 9',
      'organization_hour organization 2026-03-01T10:00 10',
    ])
  })

  it('in none where nothing is set', () => {
    const organization = {
      billing: 'prepaid' as const,
      overdueInvoice: null,
      budgets: { memberMonth: null, teamMonth: null, organizationWeek: null, organizationMonth: null },
      breakers: { member: null, team: null, organization: null },
      allowedModels: [],
    }
    const institutionSession = {
      id: 'session',
      personId: 'person',
      spendQuota: null,
      personMonthQuota: null,
      hasCountedQuota: true,
    }
    expect(limitedWindows({ ...member, organization, institutionSession }, nowMs)).toEqual([])
  })

  it('in no layer that the key has nobody in', () => {
    const kinds = limitedWindows({ ...member, memberId: null, teamId: null }, nowMs).map(({ kind }) => kind)
    expect(kinds).toEqual([
      'session_life',
      'person_month',
      'organization_week',
      'organization_month',
      'organization_minute',
      'organization_hour',
    ])
  })
})

it.each([
  ['key_life', 'spendLimitExceeded', "key's spend limit"],
  ['key_day', 'spendLimitExceeded', "key's daily spend limit"],
  ['key_week', 'spendLimitExceeded', "key's weekly spend limit"],
  ['key_month', 'spendLimitExceeded', "key's monthly spend limit"],
  ['user_minute', 'spendBreakerTripped', 'spend breaker (user scope, minute window)'],
  ['user_hour', 'spendBreakerTripped', 'spend breaker (user scope, hour window)'],
  ['session_life', 'spendLimitExceeded', "session's spend quota"],
  ['person_month', 'spendLimitExceeded', "person's monthly spend quota"],
  ['member_month', 'budgetCapReached', "member's monthly budget"],
  ['team_month', 'budgetCapReached', "team's monthly budget"],
  ['organization_week', 'budgetCapReached', "organization's weekly budget"],
  ['organization_month', 'budgetCapReached', "organization's monthly budget"],
  ['member_minute', 'spendBreakerTripped', 'spend breaker (member scope, minute window)'],
  ['member_hour', 'spendBreakerTripped', 'spend breaker (member scope, hour window)'],
  ['team_minute', 'spendBreakerTripped', 'spend breaker (team scope, minute window)'],
  ['team_hour', 'spendBreakerTripped', 'spend breaker (team scope, hour window)'],
  ['organization_minute', 'spendBreakerTripped', 'spend breaker (organization scope, minute window)'],
  ['organization_hour', 'spendBreakerTripped', 'spend breaker (organization scope, hour window)'],
  ['customer_balance', 'customerBalanceTooLow', "customer's prepaid balance"],
  ['token_life', 'customerLimitReached', "customer token's limit"],
])('the refusal of %s is %s and names its limit', (kind, refusal, title) => {
  expect(scopeOf(kind)).toMatchObject({ kind, refusal, title })
})

it('every scope is found by its kind, and no other', () => {
  for (const scope of scopes) expect(scopeOf(scope.kind)).toBe(scope)
  expect(scopeOf('wallet')).toBeUndefined()
})

it('[BREAKER-90] breakers are the limits of a minute and of an hour, which is how the store knows them', () => {
  for (const { kind } of scopes) expect(isBreaker(kind), kind).toBe(/_(?:minute|hour)$/.test(kind))
  expect(isBreaker('wallet')).toBe(false)
})
