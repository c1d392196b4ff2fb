import type { Pool } from 'pg'
import { newUuid } from '#lib/uuid.ts'
import type { PersonAccounts } from '#ports/people.ts'
import { appendAudit } from '../postgres/audit/audit.sql.ts'
import { deleteSessions, upsertPassword, verifyAddress } from '../postgres/people/people.sql.ts'
import { deleteSecondFactor } from '../postgres/people/second-factors.sql.ts'
import { inTransaction } from '../postgres/with-client.ts'

export function createPersonAccounts(pool: Pool, nowMs: () => number): PersonAccounts {
  return {
    setPassword: async (userId, { password, dropSecondFactor }, entry) => {
      // Loaded on demand: the module is large, and most processes never set a password.
      const { hashPassword } = await import('better-auth/crypto')
      const passwordHash = await hashPassword(password)
      return inTransaction(pool, 'READ COMMITTED', async (client) => {
        if (!(await upsertPassword(client, { id: newUuid(nowMs()), userId, passwordHash }))) return false
        await deleteSessions(client, userId)
        if (dropSecondFactor) await deleteSecondFactor(client, userId)
        await appendAudit(client, [entry], nowMs())
        return true
      })
    },
    verifyAddress: (userId, entry) =>
      inTransaction(pool, 'READ COMMITTED', async (client) => {
        if (!(await verifyAddress(client, userId))) return false
        await appendAudit(client, [entry], nowMs())
        return true
      }),
  }
}
