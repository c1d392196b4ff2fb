import type { Pool } from 'pg'
import { failedReasons } from '#domain/usage/failed-reasons.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { GenerationListQuery, ListedGeneration } from '#ports/account-reads.ts'
import { type GenerationColumns, generationOfRow, ownerOf, tagsOf } from './generation-columns.ts'
import type { IdRange, Looked } from './walk-back.ts'

interface Look extends IdRange, Pick<GenerationListQuery, 'scope' | 'filter'> {
  /** How many requests are read, and how many matching requests are returned. */
  readonly lookMax: number
  readonly limit: number
}

const columns = `id, wallet_id, member_id, team_id, key_id, app_name, endpoint, model, provider, upstream_status, finish_reason, streamed,
  cancelled, is_byok, is_failover, started_at, first_token_ms, duration_ms, uncached_input, cache_read, cache_write_5m,
  cache_write_1h, audio_input, text_output, reasoning_output, image_output, audio_output, media, cost_nano,
  cache_discount_nano, refund_reason, tag_ids, jsonb_array_length(attempts) AS attempt_count`

const failed = failedReasons.map((reason) => `'${reason}'`).join(', ')

// The inner rows come in index order and are read only as far as needed. The filters are outside, so that the innermost
// LIMIT bounds how many rows are read and not how many match.
const textFor = (owner: 'wallet_id' | 'user_id'): string => `SELECT *, ${tagsOf('judged')} FROM (
    SELECT *, row_number() OVER newest_first AS position, lead(id) OVER newest_first IS NULL AS is_end,
      wallet_id = $5 AND ($6::uuid IS NULL OR member_id = $6) AND ($7::uuid IS NULL OR key_id = $7)
        AND ($8::uuid IS NULL OR key_id = $8) AND ($9::text IS NULL OR model = $9) AND ($10::text IS NULL OR provider = $10)
        AND ($11::text IS NULL OR app_name = $11) AND CASE $12::text WHEN 'charged' THEN refund_reason IS NULL
          WHEN 'refunded' THEN refund_reason IS NOT NULL
          WHEN 'failed' THEN coalesce(refund_reason IN (${failed}), false) ELSE coalesce(refund_reason = $12, $12 IS NULL) END
        AND ($13::uuid IS NULL OR team_id = $13) AS fits
    FROM (SELECT ${columns} FROM generations WHERE ${owner} = $1 AND id >= $2 AND id < $3 ORDER BY id DESC LIMIT $4) AS looked
    WINDOW newest_first AS (ORDER BY id DESC)) AS judged
  WHERE fits OR is_end ORDER BY id DESC LIMIT $14`

const texts = { wallet: textFor('wallet_id'), person: textFor('user_id') }

interface Row extends GenerationColumns {
  member_id: string | null
  team_id: string | null
  tags: Readonly<Record<string, string>> | null
  attempt_count: number
  position: string
  is_end: boolean
  fits: boolean | null
}

/**
 * Reads requests of one range, the newest first. A member's requests are looked up among the person's requests, which
 * have an index and include few others. Not a named statement: partitions are pruned only if the values are known when
 * it is planned.
 */
export async function lookAtGenerations(
  pool: Pool,
  { scope, filter, ...look }: Look,
): Promise<Looked<ListedGeneration>> {
  const { walletId, userId } = scope
  const [memberId, keyId] = ownerOf(scope)
  const ofPerson = memberId !== null && userId !== null
  const { rows } = await pool.query<Row>(ofPerson ? texts.person : texts.wallet, [
    ofPerson ? userId : walletId,
    look.from,
    look.before,
    look.lookMax,
    walletId,
    memberId,
    keyId,
    filter.keyId,
    filter.model,
    filter.provider,
    filter.app,
    filter.status,
    filter.teamId,
    look.limit,
  ])
  const end = rows.find((row) => row.is_end)
  return {
    found: rows.filter((row) => row.fits === true).map(listed),
    end: end === undefined ? null : { id: end.id, count: Number(end.position) },
  }
}

function listed(row: Row): ListedGeneration {
  const { member_id: memberId, team_id: teamId, tags, attempt_count: attemptCount } = row
  return { ...generationOfRow(row), memberId, teamId, ...(tags === null ? {} : { tags }), attemptCount }
}

/** The start of the first day on which this wallet can have requests. */
export async function readFirstDay(pool: Pool, walletId: Uuid): Promise<number> {
  // The rollup is more precise than the wallet's age only if requests are older than the wallet, as in a database that
  // was moved here. Clocks differ by less than a day.
  const text = `SELECT extract(epoch FROM greatest(s.retained_from, coalesce(least(
      (SELECT (w.created_at AT TIME ZONE 'UTC')::date - 1 FROM wallets w WHERE w.id = $1),
      (SELECT min(d.day) FROM usage_account_days d WHERE d.wallet_id = $1)), (now() AT TIME ZONE 'UTC')::date))) * 1000 AS "startMs"
    FROM rollup_state s`
  const { rows } = await pool.query<{ startMs: string }>({ name: 'read-first-day', text, values: [walletId] })
  const [row] = rows
  if (row === undefined) throw new Error('the rollup_state row is missing')
  return Number(row.startMs)
}
