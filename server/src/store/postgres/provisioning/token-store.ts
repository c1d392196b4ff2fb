import type { Pool } from 'pg'
import type { ScimTokens } from '#ports/provisioning.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { lockOrganization } from '../organizations/organizations.sql.ts'
import { inTransaction } from '../with-client.ts'
import {
  countTokens,
  expireToken,
  findUsableToken,
  insertToken,
  listTokens,
  lockUsableToken,
  revokeToken,
} from './tokens.sql.ts'

const tokensMax = 10

/** Provisioning tokens in Postgres. Every request looks its token up, so a revoked one stops at once. */
export function createScimTokens(pool: Pool, clock: () => number): ScimTokens {
  return {
    list: (organizationId) => refuseWhenAway(listTokens(pool, organizationId)),
    findUsable: (secretHash, nowMs) => refuseWhenAway(findUsableToken(pool, { secretHash, nowMs })),
    create: (token, stamp) => {
      const creating = inTransaction(pool, 'READ COMMITTED', async (client) => {
        await lockOrganization(client, token.organizationId)
        if ((await countTokens(client, token.organizationId)) >= tokensMax) return null
        const created = await insertToken(client, token)
        const after = { name: token.name, expiresAtMs: token.expiresAtMs }
        await appendAudit(
          client,
          [{ ...stamp, action: 'scim.token.create', target: targetOf(token.id), after }],
          clock(),
        )
        return created
      })
      return refuseWhenAway(creating)
    },
    rotate: ({ organizationId, tokenId, successor, nowMs, oldExpiresAtMs }, stamp) => {
      const rotating = inTransaction(pool, 'READ COMMITTED', async (client) => {
        await lockOrganization(client, organizationId)
        const old = await lockUsableToken(client, { organizationId, tokenId, nowMs })
        if (old === null) return null
        const created = await insertToken(client, {
          ...successor,
          organizationId,
          name: old.name,
          expiresAtMs: old.expiresAtMs,
        })
        await expireToken(client, tokenId, oldExpiresAtMs)
        const details = { successorId: successor.id, expiresAtMs: oldExpiresAtMs }
        await appendAudit(
          client,
          [{ ...stamp, action: 'scim.token.rotate', target: targetOf(tokenId), details }],
          clock(),
        )
        return created
      })
      return refuseWhenAway(rotating)
    },
    revoke: (which, stamp) => {
      const revoking = inTransaction(pool, 'READ COMMITTED', async (client) => {
        const name = await revokeToken(client, which)
        if (name === null) return false
        const target = targetOf(which.tokenId)
        await appendAudit(client, [{ ...stamp, action: 'scim.token.revoke', target, before: { name } }], clock())
        return true
      })
      return refuseWhenAway(revoking)
    },
  }
}

function targetOf(id: string) {
  return { kind: 'scim_token', id } as const
}
