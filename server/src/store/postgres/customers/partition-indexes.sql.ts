import type { PoolClient } from 'pg'

/** Indexes that a migration created on a partitioned table, but not on its existing partitions. */
const indexes = [
  {
    name: 'generations_end_customer',
    table: 'generations',
    suffix: 'end_customer',
    on: '(end_customer_id, id) WHERE end_customer_id IS NOT NULL',
  },
  {
    name: 'generations_end_user',
    table: 'generations',
    suffix: 'end_user',
    on: '(wallet_id, end_user, id) WHERE end_user IS NOT NULL',
  },
  {
    name: 'ledger_transfers_customer',
    table: 'ledger_transfers',
    suffix: 'customer',
    on: "(end_customer_id, id) WHERE kind = 'customer_transfer'",
  },
  {
    name: 'ledger_transfers_kind',
    table: 'ledger_transfers',
    suffix: 'kind',
    on: "(wallet_id, kind, id) WHERE kind <> 'charge'",
  },
  { name: 'generations_run', table: 'generations', suffix: 'run', on: '(run_id, id) WHERE run_id IS NOT NULL' },
] as const

/** Builds the index of each partition that lacks it, and attaches it. Returns how many it built. */
export async function buildPartitionIndexes(client: PoolClient): Promise<number> {
  let built = 0
  for (const { name, table, suffix, on } of indexes) {
    for (const partition of await partitionsWithout(client, name, table)) {
      const own = `${partition}_${suffix}`
      // A build that was interrupted leaves an index that is written but never read.
      await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${own}`)
      await client.query(`CREATE INDEX CONCURRENTLY ${own} ON ${partition} ${on}`)
      await client.query(`ALTER INDEX ${name} ATTACH PARTITION ${own}`)
      built += 1
    }
  }
  return built
}

/** The newest first, because lists begin there. */
async function partitionsWithout(client: PoolClient, index: string, table: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits p JOIN pg_class c ON c.oid = p.inhrelid
     WHERE p.inhparent = $2::regclass AND NOT EXISTS (
       SELECT FROM pg_inherits a JOIN pg_index i ON i.indexrelid = a.inhrelid
       WHERE a.inhparent = $1::regclass AND i.indrelid = c.oid)
     ORDER BY c.relname DESC`,
    [index, table],
  )
  return rows.map(({ name }) => name)
}
