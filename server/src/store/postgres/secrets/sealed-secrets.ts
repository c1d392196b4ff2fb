import type { Pool, PoolClient } from 'pg'
import { assert } from '#lib/assert.ts'
import { parseSealed } from '#lib/seal.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { SealedSecrets, StaleSecret } from '#ports/operators.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { batchKeyName } from '../batches/postgres-batches.ts'
import { fileKeyName } from '../files/postgres-files.ts'
import { evidenceAssociated } from '../moderation/evidence-store.ts'
import { responseKeyName } from '../stored-responses/stored-responses.sql.ts'
import { inTransaction } from '../with-client.ts'

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

// Both statements take their names from the list of columns, never from a request.

/** Secrets under any other key, in id order, locked until the transaction ends. */
async function lockStaleSecrets(
  client: PoolClient,
  { table, column, associated }: SealedColumn,
  page: { keyId: string; after: Uuid | null; limit: number },
): Promise<StaleSecret[]> {
  const text = `SELECT id, ${column} AS sealed FROM ${table}
    WHERE ${column}->>'keyId' <> $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3 FOR NO KEY UPDATE`
  const values = [page.keyId, page.after, page.limit]
  const { rows } = await client.query<{ id: string; sealed: unknown }>(text, values)
  return rows.map(({ id, sealed }) => ({ id, sealed: parseSealed(sealed), associated: associated(id) }))
}

async function replaceSecrets(
  client: PoolClient,
  { table, column }: SealedColumn,
  secrets: readonly StaleSecret[],
): Promise<void> {
  const text = `UPDATE ${table} SET ${column} = given.sealed::jsonb
    FROM unnest($1::uuid[], $2::text[]) AS given (id, sealed) WHERE ${table}.id = given.id`
  const ids = secrets.map(({ id }) => id)
  await client.query(text, [ids, secrets.map(({ sealed }) => JSON.stringify(sealed))])
}

/** A column of encrypted values, and their associated data. */
interface SealedColumn {
  readonly table: string
  readonly column: string
  readonly associated: (id: string) => string
}

const ownId = (id: string): string => id

/** All encrypted columns. A column that is missing here becomes unreadable when its secret is removed. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'provider_accounts', column: 'credential', associated: ownId },
  { table: 'own_keys', column: 'credential', associated: ownId },
  { table: 'sign_on_connections', column: 'secret', associated: ownId },
  { table: 'webhook_secrets', column: 'secret', associated: ownId },
  { table: 'video_jobs', column: 'task', associated: ownId },
  { table: 'moderation_evidence', column: 'content', associated: evidenceAssociated },
  { table: 'stored_responses', column: 'sealed_key', associated: responseKeyName },
  { table: 'files', column: 'sealed_key', associated: fileKeyName },
  { table: 'batches', column: 'sealed_key', associated: batchKeyName },
]
