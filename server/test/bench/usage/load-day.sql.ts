import type { Pool } from 'pg'
import { inTransaction } from '#store/postgres/with-client.ts'

/**
 * Inserts the generations of one day, in one transaction with the note that they exist. Requests come in bursts: one
 * key calls one model from one app about eight times within 25 minutes. A third of the bursts belong to the
 * organization; every key has a preferred app and model; 2% fail. The same seed gives the same requests. Returns their
 * number, which is about the requested one.
 */
export async function loadDay(pool: Pool, load: { stage: number; day: string; rows: number }): Promise<number> {
  return inTransaction(pool, 'READ COMMITTED', async (client) => {
    await client.query('SET LOCAL jit = off')
    await client.query('SELECT setseed(((hashtext($1) % 1000000) / 1000000.0)::float8)', [`${load.stage} ${load.day}`])
    const burstCount = Math.ceil(load.rows / burstMean)
    const { rowCount } = await client.query(insertGenerations, [load.day, burstCount])
    const note = 'INSERT INTO bench_loads (stage, day, rows) VALUES ($1, $2, $3)'
    await client.query(note, [load.stage, load.day, rowCount])
    return rowCount ?? 0
  })
}

const burstMean = 8

const bursts = `SELECT CASE WHEN random() < 1.0 / 3 THEN 0 ELSE 1 + floor(random() * 1999)::int END AS w, random() AS who, random() AS other_model,
      random() AS other_app, random() AS size, random() AS streams,
      extract(epoch FROM $1::date::timestamp) + random() * 84600 AS began
    FROM generate_series(1, $2::int)`

// Casting text to an id replaces md5, which took half of the load time.
const insertGenerations = `INSERT INTO generations (id, wallet_id, key_id, user_id, organization_id, member_id, team_id, app_name, endpoint, model, provider,
    upstream_model, upstream_status, finish_reason, native_finish_reason, streamed, cancelled, is_failover, started_at, first_token_ms,
    duration_ms, uncached_input, cache_read, text_output, held_nano, cost_nano, cache_discount_nano, refund_reason, attempts, settled_at)
  SELECT (lpad(to_hex((began * 1000)::bigint), 12, '0') || '-7' || substr(gen_random_uuid()::text, 16))::uuid,
    wallet_id, key_id, user_id, organization_id, member_id, team_id, 'app ' || app, 'chat', 'acme/model-' || model, 'vendor-' || model % 5,
    'model-' || model, CASE WHEN failed THEN 502 ELSE 200 END, CASE WHEN failed THEN NULL ELSE 'stop' END, CASE WHEN failed THEN NULL ELSE 'stop' END,
    streamed, false, false, to_timestamp(began), CASE WHEN streamed THEN (50 + 20 * exp(speed * 5))::int END,
    (300 + speed * 20000)::int, (size * size * 8000)::int, (cached * size * 4000)::int, (speed * 800)::int, 20000000,
    CASE WHEN failed THEN 0 ELSE (size * 9000000)::bigint END, CASE WHEN failed THEN 0 ELSE (cached * size * 1000000)::bigint END,
    CASE WHEN failed THEN 'upstream_failed' END,
    '[{"model":"acme/model-1","outcome":"answered","status":200,"provider":"vendor-1","durationMs":1200}]', to_timestamp(began + 21)
  FROM (
    SELECT c.*, b.began + random() * 1500 AS began, random() AS size, random() AS speed, random() < 0.02 AS failed,
      CASE WHEN random() < 0.3 THEN 1 ELSE 0 END AS cached, b.streams < 0.7 AS streamed,
      CASE WHEN b.other_app < 0.9 THEN (c.w + c.k) % 10 * ((c.w + c.k) % 10) / 10 ELSE floor(b.other_app * 100)::int - 90 END AS app,
      (c.w + c.k * 7 + (b.other_model ^ 3 * 4)::int) % 20 AS model
    FROM (${bursts}) AS b
    JOIN bench_callers c ON c.w = b.w AND c.k = CASE WHEN b.w = 0 THEN floor(b.who * 300)::int ELSE floor(b.who * b.who * 3)::int END
    CROSS JOIN LATERAL generate_series(1, 1 + (b.size * 14)::int)
  ) AS requests`
