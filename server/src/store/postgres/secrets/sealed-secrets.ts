import type { Pool } from 'pg'
import { assert } from '#lib/assert.ts'
import type { SealedSecrets } from '#ports/sealed-secrets.ts'
import { appendAudit } from '../audit/append-audit.sql.ts'
import { inTransaction } from '../in-transaction.ts'
import { lockStaleSecrets } from './lock-stale-secrets.sql.ts'
import { replaceSecrets } from './replace-secrets.sql.ts'
import { sealedColumns } from './sealed-columns.ts'

export function createSealedSecrets(pool: Pool): SealedSecrets {
  return {
    places: sealedColumns.map(({ table }) => table),
    replacePage: ({ place, ...page }, replace) => {
      const column = sealedColumns.find(({ table }) => table === place)
      assert(column !== undefined, 'secrets are replaced where there are some')
      return inTransaction(pool, 'READ COMMITTED', async (client) => {
        const stale = await lockStaleSecrets(client, column, page)
        const last = stale.at(-1)
        if (last === undefined) return null
        const { replaced, entry } = replace(stale)
        if (replaced.length > 0) await replaceSecrets(client, column, replaced)
        if (entry !== null) await appendAudit(client, [entry], Date.now())
        return { last: last.id }
      })
    },
  }
}
