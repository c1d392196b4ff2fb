import type { Pool } from 'pg'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { Uuid } from '#lib/uuid.ts'
import { appendAudit } from '#store/postgres/audit/audit.sql.ts'
import {
  lockSecondFactors,
  replaceSecondFactors,
  type SecondFactorRow,
} from '#store/postgres/people/second-factors.sql.ts'
import { inTransaction } from '#store/postgres/with-client.ts'
import { openSecondFactor } from './open-second-factor.ts'

const pageSize = 200

/**
 * Re-encrypts second factors, which the sign-in library keeps under its own secret. It skips rows that the current
 * secret already decrypts, so it can be interrupted and run again.
 */
export async function rotateSecondFactors(
  pool: Pool,
  secrets: { current: string; previous: readonly string[] },
  describe: (count: number) => AuditEntry,
): Promise<{ rotated: number; unreadable: Uuid[] }> {
  const outcome: { rotated: number; unreadable: Uuid[] } = { rotated: 0, unreadable: [] }
  let after: Uuid | null = null
  for (;;) {
    const last: Uuid | null = await inTransaction(pool, 'READ COMMITTED', async (client) => {
      const rows = await lockSecondFactors(client, { after, limit: pageSize })
      const replaced: SecondFactorRow[] = []
      for (const row of rows) {
        const anew = await encryptAnew(row, secrets)
        if (anew === 'unreadable') outcome.unreadable.push(row.id)
        else if (anew !== 'current') replaced.push(anew)
      }
      if (replaced.length > 0) {
        await replaceSecondFactors(client, replaced)
        await appendAudit(client, [describe(replaced.length)], Date.now())
        outcome.rotated += replaced.length
      }
      return rows.at(-1)?.id ?? null
    })
    if (last === null) return outcome
    after = last
  }
}

async function encryptAnew(
  row: SecondFactorRow,
  { current, previous }: { current: string; previous: readonly string[] },
): Promise<SecondFactorRow | 'current' | 'unreadable'> {
  if ((await openSecondFactor(row, current)) !== null) return 'current'
  for (const key of previous) {
    const opened = await openSecondFactor(row, key)
    if (opened === null) continue
    const { symmetricEncrypt } = await import('better-auth/crypto')
    return {
      id: row.id,
      secret: await symmetricEncrypt({ key: current, data: opened.secret }),
      backupCodes: await symmetricEncrypt({ key: current, data: opened.backupCodes }),
    }
  }
  return 'unreadable'
}
