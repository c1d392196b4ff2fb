import type { Pool } from 'pg'
import type { AllowedModelsBook } from '#ports/allowed-models.ts'
import { refuseWhenAway } from '../account/refuse-when-away.ts'
import { appendAudit } from '../audit/append-audit.sql.ts'
import { inTransaction } from '../in-transaction.ts'
import { findAllowedModels } from './find-allowed-models.sql.ts'
import { setAllowedModels } from './set-allowed-models.sql.ts'

export function createAllowedModelsBook(pool: Pool, nowMs: () => number): AllowedModelsBook {
  return {
    find: (owner) => refuseWhenAway(findAllowedModels(pool, owner)),
    replace: (owner, patterns, describe) => {
      const replacing = inTransaction(pool, 'READ COMMITTED', async (client) => {
        const before = await setAllowedModels(client, owner, patterns)
        if (before === null) return false
        const entry = describe(before)
        if (entry !== null) await appendAudit(client, [entry], nowMs())
        return true
      })
      return refuseWhenAway(replacing)
    },
  }
}
