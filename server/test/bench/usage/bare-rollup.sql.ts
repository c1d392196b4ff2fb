import type { Pool } from 'pg'
import { inTransaction } from '#store/postgres/with-client.ts'

const key = 'hour, wallet_id, key_id, member_id, team_id, model, provider, app_name'

/** Creates an empty table for the reference rollup. */
export async function createBareRollup(pool: Pool): Promise<void> {
  await pool.query('DROP TABLE IF EXISTS bench_bare_hours')
  await pool.query(`CREATE TABLE bench_bare_hours (hour timestamp NOT NULL, wallet_id uuid NOT NULL, key_id uuid, member_id uuid, team_id uuid,
    model text NOT NULL, provider text, app_name text, requests bigint, failed bigint, spent_nano numeric, saved_nano numeric,
    prompt_tokens numeric, completion_tokens numeric)`)
  await pool.query(`CREATE UNIQUE INDEX bench_bare_hours_key ON bench_bare_hours (${key}) NULLS NOT DISTINCT`)
}

/** Reads rows into memory, where freshly settled rows are. */
export async function readOnce(pool: Pool, positions: { from: string; to: string }): Promise<void> {
  const text = 'SELECT sum(cost_nano) FROM generations WHERE settled_position >= $1 AND settled_position < $2'
  await pool.query(text, [positions.from, positions.to])
}

/** The plainest statement that sums up the same rows once, into its own table. It is not repeatable and has no days. */
export async function addUpBare(pool: Pool, positions: { from: string; to: string }): Promise<void> {
  await inTransaction(pool, 'READ COMMITTED', async (client) => {
    // The same settings as the rollup's.
    await client.query(`SET LOCAL jit = off; SET LOCAL work_mem = '64MB'`)
    await client.query(bare, [positions.from, positions.to])
  })
}

const bare = `INSERT INTO bench_bare_hours
  SELECT date_trunc('hour', started_at AT TIME ZONE 'UTC') AS hour, wallet_id, key_id, member_id, team_id, model, provider, app_name,
    count(*), count(*) FILTER (WHERE refund_reason IS NOT NULL), sum(cost_nano), sum(cache_discount_nano),
    sum(uncached_input + cache_read + cache_write_5m + cache_write_1h + audio_input),
    sum(text_output + reasoning_output + image_output + audio_output)
  FROM generations WHERE settled_position >= $1 AND settled_position < $2
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`
