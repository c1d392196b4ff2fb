import type { Principal } from '#domain/access/principal.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { newUuid } from '#lib/uuid.ts'

/** A client with a personal wallet and defaults, except for the tested fields. */
export function makePrincipal(special: Partial<Principal> = {}): Principal {
  return {
    keyId: newUuid(Date.now()),
    keyName: 'test',
    keyType: 'standard',
    operatorRole: null,
    userId: newUuid(Date.now()),
    organizationId: null,
    memberId: null,
    teamId: null,
    walletId: newUuid(Date.now()),
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
    balance: parseUsd('100'),
    ...special,
  }
}
