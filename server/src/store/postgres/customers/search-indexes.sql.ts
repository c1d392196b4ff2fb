import type { Pool, PoolClient } from 'pg'
import { withClient } from '../with-client.ts'
import { wordsOf } from './list-customers.sql.ts'
import { buildPartitionIndexes } from './partition-indexes.sql.ts'

/**
 * Indexes over large tables, for searches, lists and a purge. A migration would keep writers waiting while it builds
 * them, so a worker does it. All of these work without them, but read whole tables.
 */
const indexes = [
  {
    name: 'users_words',
    on: `users USING gin (${wordsOf('email')})`,
  },
  { name: 'users_suspended', on: 'users (id) WHERE suspended_at IS NOT NULL' },
  { name: 'api_keys_prefix', on: 'api_keys (prefix text_pattern_ops)' },
  {
    name: 'spend_windows_customers',
    on: `spend_windows (kind, starts_at) WHERE kind IN ('customer_day', 'customer_month')`,
  },
] as const

// Any number that no other advisory lock uses.
const lock = 5_018_034

/** Builds what is missing, in one worker at a time. Returns how many indexes it built. */
export function buildSearchIndexes(pool: Pool): Promise<number> {
  return withClient(pool, async (client) => {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [lock])
    if (rows[0]?.taken !== true) return 0
    try {
      return (await buildMissing(client)) + (await buildPartitionIndexes(client))
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [lock])
    }
  })
}

async function buildMissing(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ name: string; valid: boolean }>(
    `SELECT c.relname AS name, i.indisvalid AS valid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE c.relname = ANY ($1) AND c.relnamespace = current_schema()::regnamespace`,
    [indexes.map(({ name }) => name)],
  )
  const missing = indexes.filter(({ name }) => !rows.some((row) => row.name === name && row.valid))
  for (const { name, on } of missing) {
    // A build that was interrupted leaves an index that is written but never read.
    await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`)
    await client.query(`CREATE INDEX CONCURRENTLY ${name} ON ${on}`)
  }
  return missing.length
}
