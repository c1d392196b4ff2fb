import { describe, expect, it } from 'vitest'
import type { Client } from '#domain/access/client.ts'
import type { Principal } from '#domain/access/principal.ts'
import { roles } from '#domain/access/roles.ts'
import { zeroUsd } from '#domain/money/nano-usd.ts'
import { usageScopeOf } from './usage-scope.ts'

const personal: Principal = {
  keyId: 'key',
  keyName: 'test',
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
const ofMember: Principal = { ...personal, organizationId: 'organization', memberId: 'member' }
const ofNobody: Principal = { ...ofMember, memberId: null, userId: null }

function keyOf(principal: Principal): Client {
  return { kind: 'key', principal }
}

describe('[ACCT-20] [ACCT-26] whose requests figures are about', () => {
  it('are those of the personal wallet, with any key of it or a session', () => {
    const person = {
      sessionId: 'session',
      userId: 'user',
      email: 'a@b.example',
      name: 'A',
      walletId: 'wallet',
      suspended: false,
      signedInAtMs: 0,
      passedSecondFactor: false,
      operatorRole: null,
    }
    for (const client of [
      keyOf(personal),
      keyOf({ ...personal, keyType: 'management' }),
      { kind: 'session', person, view: null } as const,
    ]) {
      expect(usageScopeOf(client, null)).toEqual({ walletId: 'wallet', only: null })
    }
  })

  it('are those of a whole organization only with a management key of somebody who watches its bill', () => {
    const wide = roles.filter((role) => usageScopeOf(keyOf({ ...ofMember, keyType: 'management' }), role).only === null)
    expect(wide).toEqual(['org_admin', 'billing_viewer'])
    for (const role of [...roles, null]) {
      expect(usageScopeOf(keyOf(ofMember), role).only).toEqual({ memberId: 'member' })
    }
  })

  it("are those of a member, or of the key alone where it is nobody's", () => {
    expect(usageScopeOf(keyOf({ ...ofMember, keyType: 'management' }), null)).toEqual({
      walletId: 'wallet',
      only: { memberId: 'member' },
    })
    expect(usageScopeOf(keyOf(ofNobody), null)).toEqual({ walletId: 'wallet', only: { keyId: 'key' } })
  })
})
