import { describe, expect, it } from 'vitest'
import { zeroUsd } from '#domain/money/nano-usd.ts'
import { makePrincipal } from '#test/identity/make-principal.ts'
import { outboundAccount } from './outbound-account.ts'
import { type RateClient, rateClientOf, rateSubject } from './rate-subject.ts'

const all: RateClient = {
  walletId: 'wallet',
  userId: 'user',
  memberId: 'member',
  keyId: 'key',
  institutionSession: {
    id: 'session',
    personId: 'person',
    spendQuota: null,
    personMonthQuota: null,
    hasCountedQuota: false,
  },
  balance: zeroUsd,
}

describe('requests count', () => {
  it.each<[string, Partial<RateClient>]>([
    ['session', {}],
    ['user', { institutionSession: null }],
    ['member', { institutionSession: null, userId: null }],
    ['key', { institutionSession: null, userId: null, memberId: null }],
  ])('[LIMIT-03] [LIMIT-04] for their %s, per paying wallet and class', (clientId, change) => {
    expect(rateSubject({ ...all, ...change }, 'inference')).toEqual({
      walletId: 'wallet',
      clientId,
      class: 'inference',
    })
  })

  it('[LIMIT-07] apart by class', () => {
    expect(rateSubject(all, 'account').class).toBe('account')
  })

  it('of a person on the website together with those of their own keys', () => {
    const person = {
      sessionId: 'session',
      userId: 'user',
      email: 'a@example.org',
      name: 'A',
      walletId: 'wallet',
      suspended: false,
      signedInAtMs: 0,
      passedSecondFactor: false,
      operatorRole: null,
    }
    const counted = {
      walletId: 'wallet',
      userId: 'user',
      memberId: null,
      keyId: 'user',
      institutionSession: null,
      balance: 0n,
    }
    expect(rateClientOf({ kind: 'session', person, view: null })).toEqual(counted)
    const customer = { ...person, userId: 'customer', walletId: 'theirs' }
    const view = { id: 'view', operator: person }
    expect(rateClientOf({ kind: 'session', person: customer, view })).toEqual(counted)
  })

  it('of a key for its principal', () => {
    const principal = makePrincipal()
    expect(rateClientOf({ kind: 'key', principal })).toBe(principal)
  })
})

it.each([
  ['organization', 'organization'],
  [null, 'wallet'],
])('requests to foreign hosts queue by organization (%s) or else by wallet: %s', (organizationId, account) => {
  expect(outboundAccount({ organizationId, walletId: 'wallet' })).toBe(account)
})
