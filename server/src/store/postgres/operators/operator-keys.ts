import type { Pool } from 'pg'
import type { OperatorKeys } from '#ports/operator-keys.ts'
import { appendAudit } from '../audit/append-audit.sql.ts'
import { inTransaction } from '../in-transaction.ts'
import { insertOperatorKey } from './insert-operator-key.sql.ts'
import { listOperatorKeys } from './list-operator-keys.sql.ts'

export function createOperatorKeys(pool: Pool): OperatorKeys {
  return {
    create: (key, entry) =>
      inTransaction(pool, 'READ COMMITTED', async (client) => {
        await insertOperatorKey(client, key)
        await appendAudit(client, [entry], Date.now())
      }),
    list: () => listOperatorKeys(pool),
  }
}
