import { hashPassword } from 'better-auth/crypto'
import type { Pool } from 'pg'
import { newUuid } from '#lib/uuid.ts'
import type { PersonAccounts } from '#ports/person-accounts.ts'
import { appendAudit } from '../postgres/audit/append-audit.sql.ts'
import { inTransaction } from '../postgres/in-transaction.ts'
import { deleteSecondFactor } from '../postgres/people/delete-second-factor.sql.ts'
import { deleteSessions } from '../postgres/people/delete-sessions.sql.ts'
import { upsertPassword } from '../postgres/people/upsert-password.sql.ts'
import { verifyAddress } from '../postgres/people/verify-address.sql.ts'

export function createPersonAccounts(pool: Pool, nowMs: () => number): PersonAccounts {
  return {
    setPassword: async (userId, { password, dropSecondFactor }, entry) => {
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
