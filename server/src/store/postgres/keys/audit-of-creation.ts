import { type AuditEntry, platformChain } from '#domain/audit/audit-entry.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import type { ChangeAuthor, NewKey } from '#ports/key-book.ts'

/** What the audit log says of a new key: everything but its secret. */
export function auditOfCreation(key: NewKey, { actor, requestId }: ChangeAuthor): AuditEntry {
  const { owner } = key
  const place = owner.kind === 'organization' ? { memberId: owner.memberId, teamId: owner.teamId } : {}
  return {
    chainId: owner.kind === 'organization' ? owner.organizationId : platformChain,
    actor,
    requestId,
    action: 'key.create',
    target: { kind: 'key', id: key.id },
    after: {
      name: key.name,
      keyType: key.type,
      userId: owner.userId,
      ...place,
      spendLimitUsd: key.limit === null ? null : usdJson(key.limit),
      spendLimitPeriod: key.period,
      expiresAt: key.expiresAtMs === null ? null : new Date(key.expiresAtMs).toISOString(),
      allowedCidrs: [...key.allowedCidrs],
      ...(key.freeFallback === false ? { freeFallback: false } : {}),
    },
  }
}
