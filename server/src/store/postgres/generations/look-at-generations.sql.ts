import type { Pool, PoolClient } from 'pg'
import { failedReasons } from '#domain/usage/failed-reasons.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { GenerationListQuery, ListedGeneration } from '#ports/account-reads.ts'
import { readNano } from '../column-values.ts'
import { customerPriceOf } from '../end-customers/customer-price.ts'
import { customerOf, type GenerationColumns, generationOfRow, ownerOf, runOf, tagsOf } from './generation-columns.ts'
import type { IdRange, Looked } from './walk-back.ts'

interface Look extends IdRange, Pick<GenerationListQuery, 'scope' | 'filter'> {
  /** How many requests are read, and how many matching requests are returned. */
  readonly lookMax: number
  readonly limit: number
}

const columns = `id, wallet_id, member_id, team_id, key_id, app_name, endpoint, model, provider, upstream_status, finish_reason, streamed,
  cancelled, is_byok, is_failover, started_at, first_token_ms, duration_ms, uncached_input, cache_read, cache_write_5m,
  cache_write_1h, audio_input, text_output, reasoning_output, image_output, audio_output, media, cost_nano,
  cache_discount_nano, refund_reason, end_customer_id, run_id, end_user, tag_ids, jsonb_array_length(attempts) AS attempt_count`

const failed = failedReasons.map((reason) => `'${reason}'`).join(', ')

// The inner rows come in index order and are read only as far as needed. The filters are outside, so that the innermost
// LIMIT bounds how many rows are read and not how many match.
const textFor = (owned: string): string => `SELECT *, ${tagsOf('judged')}, ${customerOf('judged')}, ${runOf('judged')},
    ${customerPriceOf('judged')} AS customer_price_nano FROM (
    SELECT *, row_number() OVER newest_first AS position, lead(id) OVER newest_first IS NULL AS is_end,
      wallet_id = $5 AND ($6::uuid IS NULL OR member_id = $6) AND ($7::uuid IS NULL OR key_id = $7)
        AND ($8::uuid IS NULL OR key_id = $8) AND ($9::text IS NULL OR model = $9) AND ($10::text IS NULL OR provider = $10)
        AND ($11::text IS NULL OR app_name = $11) AND CASE $12::text WHEN 'charged' THEN refund_reason IS NULL
          WHEN 'refunded' THEN refund_reason IS NOT NULL
          WHEN 'failed' THEN coalesce(refund_reason IN (${failed}), false) ELSE coalesce(refund_reason = $12, $12 IS NULL) END
        AND ($13::uuid IS NULL OR team_id = $13) AND ($15::uuid IS NULL OR end_customer_id = $15)
        AND ($16::uuid IS NULL OR $16 = ANY (tag_ids)) AND ($17::uuid IS NULL OR run_id = $17)
        AND ($18::text IS NULL OR end_user = $18) AS fits
    FROM (SELECT ${columns} FROM generations WHERE ${owned} AND id >= $2 AND id < $3 ORDER BY id DESC LIMIT $4) AS looked
    WINDOW newest_first AS (ORDER BY id DESC)) AS judged
  WHERE fits OR is_end ORDER BY id DESC LIMIT $14`

const texts = {
  wallet: textFor('wallet_id = $1'),
  person: textFor('user_id = $1'),
  customer: textFor('end_customer_id = $1'),
  run: textFor('run_id = $1'),
  endUser: textFor('wallet_id = $1 AND end_user = $18'),
}

interface Row extends GenerationColumns {
  member_id: string | null
  team_id: string | null
  tags: Readonly<Record<string, string>> | null
  customer: string | null
  run: string | null
  end_user: string | null
  customer_price_nano: string | null
  attempt_count: number
  position: string
  is_end: boolean
  fits: boolean | null
}

/**
 * Reads requests of one range, the newest first. There is an index for the requests of a customer, a run or a user of
 * the client. A member's requests are looked up among the person's requests, which have an index and include few
 * others. Not a named statement: partitions are pruned only if the values are known when it is planned.
 */
export async function lookAtGenerations(
  pool: Pool,
  { scope, filter, ...look }: Look,
): Promise<Looked<ListedGeneration>> {
  const { walletId, userId } = scope
  const [memberId, keyId] = ownerOf(scope)
  const [text, owner] = sourceFor(filter, memberId === null ? null : userId, walletId)
  const { rows } = await pool.query<Row>(text, [
    owner,
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
    filter.endCustomerId,
    filter.tagId,
    filter.runId,
    filter.endUser,
  ])
  const end = rows.find((row) => row.is_end)
  return {
    found: rows.filter((row) => row.fits === true).map(listed),
    end: end === undefined ? null : { id: end.id, count: Number(end.position) },
  }
}

function sourceFor(
  { endCustomerId, runId, endUser }: GenerationListQuery['filter'],
  userId: Uuid | null,
  walletId: Uuid,
): [text: string, owner: Uuid] {
  if (runId !== null) return [texts.run, runId]
  if (endCustomerId !== null) return [texts.customer, endCustomerId]
  if (endUser !== null) return [texts.endUser, walletId]
  return userId === null ? [texts.wallet, walletId] : [texts.person, userId]
}

function listed(row: Row): ListedGeneration {
  const { member_id: memberId, team_id: teamId, tags, customer, run, end_user: user, attempt_count: attemptCount } = row
  const labels = {
    ...(tags === null ? {} : { tags }),
    ...(run === null ? {} : { run }),
    ...(user === null ? {} : { user }),
    ...customerLabels(customer, row.customer_price_nano),
  }
  return { ...generationOfRow(row), memberId, teamId, ...labels, attemptCount }
}

function customerLabels(
  customer: string | null,
  priceNano: string | null,
): Pick<ListedGeneration, 'customer' | 'customerPrice'> {
  return customer === null || priceNano === null ? {} : { customer, customerPrice: readNano(priceNano) }
}

/** The start of the first day on which this wallet can have requests. */
export async function readFirstDay(connection: Pool | PoolClient, walletId: Uuid): Promise<number> {
  // The rollup is more precise than the wallet's age only if requests are older than the wallet, as in a database that
  // was moved here. Clocks differ by less than a day.
  const text = `SELECT extract(epoch FROM greatest(s.retained_from, coalesce(least(
      (SELECT (w.created_at AT TIME ZONE 'UTC')::date - 1 FROM wallets w WHERE w.id = $1),
      (SELECT min(d.day) FROM usage_account_days d WHERE d.wallet_id = $1)), (now() AT TIME ZONE 'UTC')::date))) * 1000 AS "startMs"
    FROM rollup_state s`
  const { rows } = await connection.query<{ startMs: string }>({ name: 'read-first-day', text, values: [walletId] })
  const [row] = rows
  if (row === undefined) throw new Error('the rollup_state row is missing')
  return Number(row.startMs)
}
