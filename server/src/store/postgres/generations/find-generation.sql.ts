import type { Pool } from 'pg'
import type { StatedRule, StatedTier, StatedUnits } from '#domain/catalogue/catalogue-row.ts'
import type { Attempt, GenerationRecord, RefundReason } from '#domain/ledger/generation-record.ts'
import { pricesAt } from '#domain/money/price-clock.ts'
import { parsePriceRules, parseUnitPrices, type PriceList } from '#domain/money/price-list.ts'
import type { RoutingExplanation } from '#domain/routing/explanation.ts'
import { findTestPrice } from '#domain/test-models/test-price.ts'
import type { UsageScope } from '#domain/usage/usage-scope.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { LapsedHold, PricedGeneration } from '#ports/account-reads.ts'
import { readNano } from '../column-values.ts'
import { ownerOf, type UsageColumns, usageOfRow } from './generation-columns.ts'

/** A finished request within the scope, with the price version it was charged with. */
export async function findGeneration(pool: Pool, scope: UsageScope, id: Uuid): Promise<PricedGeneration | null> {
  const text = `SELECT g.*, p.units, p.tiers, p.rules, p.valid_from
    FROM generations g LEFT JOIN prices p ON p.id = g.price_id WHERE g.id = $2 AND g.wallet_id = $1
      AND ($3::uuid IS NULL OR g.member_id = $3) AND ($4::uuid IS NULL OR g.key_id = $4)`
  const { rows } = await pool.query<GenerationRow>({
    name: 'find-generation',
    text,
    values: [scope.walletId, id, ...ownerOf(scope)],
  })
  const [row] = rows
  if (row === undefined) return null
  const record = recordOf(row)
  const ids = new Set((record.routing?.candidates ?? []).flatMap(({ priceId }) => priceId ?? []))
  const candidatePrices =
    ids.size === 0 ? new Map<string, PriceList>() : await findPrices(pool, [...ids], record.startedAtMs)
  return {
    record,
    price: priceOf(row, record.startedAtMs),
    priceValidFromMs: row.valid_from?.getTime() ?? null,
    candidatePrices,
  }
}

/** Price versions by their ids, as they were at an instant. */
async function findPrices(pool: Pool, ids: readonly string[], atMs: number): Promise<Map<string, PriceList>> {
  const text = 'SELECT id AS price_id, units, tiers, rules FROM prices WHERE id = ANY ($1::uuid[])'
  const { rows } = await pool.query<PriceColumns>({ name: 'find-prices', text, values: [ids] })
  const stored = new Map(rows.map((row) => [row.price_id, priceOf(row, atMs)]))
  return new Map(
    ids.flatMap((id) => {
      const price = stored.get(id) ?? findTestPrice(id)
      return price === null ? [] : [[id, price] as const]
    }),
  )
}

interface PriceColumns {
  price_id: string | null
  units: StatedUnits | null
  tiers: StatedTier[] | null
  rules: StatedRule[] | null
}

interface GenerationRow extends UsageColumns, PriceColumns {
  id: string
  wallet_id: string
  key_id: string
  user_id: string | null
  organization_id: string | null
  member_id: string | null
  team_id: string | null
  session_id: string | null
  app_name: string | null
  endpoint: string
  model: string
  provider: string | null
  upstream_model: string | null
  upstream_status: number | null
  finish_reason: string | null
  native_finish_reason: string | null
  streamed: boolean
  cancelled: boolean
  is_byok: boolean
  is_failover: boolean
  started_at: Date
  first_token_ms: number | null
  duration_ms: number
  held_nano: string
  cost_nano: string
  absorbed_nano: string
  usage_doubted: boolean
  cache_discount_nano: string
  refund_reason: RefundReason | null
  attempts: Attempt[]
  routing: RoutingExplanation | null
  valid_from: Date | null
}

function recordOf(row: GenerationRow): GenerationRecord {
  return {
    id: row.id,
    walletId: row.wallet_id,
    keyId: row.key_id,
    userId: row.user_id,
    organizationId: row.organization_id,
    memberId: row.member_id,
    teamId: row.team_id,
    sessionId: row.session_id,
    appName: row.app_name,
    endpoint: row.endpoint,
    model: row.model,
    provider: row.provider,
    upstreamModel: row.upstream_model,
    upstreamStatus: row.upstream_status,
    finishReason: row.finish_reason,
    nativeFinishReason: row.native_finish_reason,
    streamed: row.streamed,
    cancelled: row.cancelled,
    isByok: row.is_byok,
    isFailover: row.is_failover,
    startedAtMs: row.started_at.getTime(),
    firstTokenMs: row.first_token_ms,
    durationMs: row.duration_ms,
    usage: usageOfRow(row),
    held: readNano(row.held_nano),
    cost: readNano(row.cost_nano),
    absorbed: readNano(row.absorbed_nano),
    usageDoubted: row.usage_doubted,
    cacheDiscount: readNano(row.cache_discount_nano),
    priceId: row.price_id,
    refundReason: row.refund_reason,
    attempts: row.attempts,
    routing: row.routing,
  }
}

function priceOf(row: PriceColumns, atMs: number): PriceList | null {
  if (row.price_id === null || row.units === null) return findTestPrice(row.price_id)
  const tiers = (row.tiers ?? []).map(({ abovePromptTokens, units }) => ({
    abovePromptTokens,
    prices: parseUnitPrices(units),
  }))
  const rules = parsePriceRules(row.rules ?? [])
  return pricesAt({ id: row.price_id, base: parseUnitPrices(row.units), tiers, ...rules }, atMs)
}

interface LapsedHoldRow {
  id: string
  wallet_id: string
  key_id: string
  amount_nano: string
  lapsed_at: Date
}

export async function findLapsedHold(pool: Pool, scope: UsageScope, id: Uuid): Promise<LapsedHold | null> {
  // A hold knows its key alone; whose key that is says the key, which is kept when it is revoked.
  const text = `SELECT h.id, h.wallet_id, h.key_id, h.amount_nano, h.lapsed_at
    FROM lapsed_holds h LEFT JOIN api_keys k ON k.id = h.key_id
    WHERE h.id = $2 AND h.wallet_id = $1 AND ($3::uuid IS NULL OR k.member_id = $3) AND ($4::uuid IS NULL OR h.key_id = $4)`
  const { rows } = await pool.query<LapsedHoldRow>({
    name: 'find-lapsed-hold',
    text,
    values: [scope.walletId, id, ...ownerOf(scope)],
  })
  const [row] = rows
  if (row === undefined) return null
  return {
    id: row.id,
    walletId: row.wallet_id,
    keyId: row.key_id,
    amount: readNano(row.amount_nano),
    lapsedAtMs: row.lapsed_at.getTime(),
  }
}
