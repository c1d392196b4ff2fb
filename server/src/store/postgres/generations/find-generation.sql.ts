import type { Pool } from 'pg'
import type { StatedRule, StatedTier, StatedUnits } from '#domain/catalogue/catalogue-row.ts'
import type { Attempt, GenerationRecord } from '#domain/ledger/generation-record.ts'
import { pricesAt } from '#domain/money/price-clock.ts'
import { parsePriceRules, parseUnitPrices, type PriceList } from '#domain/money/price-list.ts'
import type { RoutingExplanation } from '#domain/routing/explanation.ts'
import { findTestPrice } from '#domain/test-models/test-price.ts'
import type { UsageScope } from '#domain/usage/usage-scope.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { LapsedHold, PricedGeneration, ReceiptScope } from '#ports/account-reads.ts'
import { readNano, readNullableNano } from '../column-values.ts'
import { customerPriceOf } from '../end-customers/customer-price.ts'
import {
  type AttributedColumns,
  attributedGenerationOfRow,
  customerOf,
  ownerOf,
  runOf,
  tagsOf,
} from './generation-columns.ts'

/** A finished request within the scope, with the price version at which it was charged. */
export async function findGeneration(pool: Pool, scope: ReceiptScope, id: Uuid): Promise<PricedGeneration | null> {
  const text = `SELECT g.*, p.units, p.tiers, p.rules, p.valid_from,
      ${customerOf('g')}, ${customerPriceOf('g')} AS customer_price_nano, ${tagsOf('g')},
      ${runOf('g')}
    FROM generations g LEFT JOIN prices p ON p.id = g.price_id WHERE g.id = $2 AND g.wallet_id = $1
      AND ($3::uuid IS NULL OR g.member_id = $3) AND ($4::uuid IS NULL OR g.key_id = $4)
      AND ($5::uuid IS NULL OR g.end_customer_id = $5)`
  const { rows } = await pool.query<GenerationRow>({
    name: 'find-generation',
    text,
    values: [scope.walletId, id, ...ownerOf(scope), scope.endCustomerId ?? null],
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
    customer: row.customer,
    run: row.run,
    customerPrice: readNullableNano(row.customer_price_nano),
    tags: row.tags,
  }
}

/** Price versions by id, as of an instant. */
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

interface GenerationRow extends AttributedColumns, PriceColumns {
  session_id: string | null
  native_finish_reason: string | null
  held_nano: string
  absorbed_nano: string
  usage_doubted: boolean
  provider_cost_nano: string | null
  end_user: string | null
  cached_from: string | null
  cached_percent: number | null
  attempts: Attempt[]
  routing: RoutingExplanation | null
  valid_from: Date | null
  customer: string | null
  run: string | null
  customer_price_nano: string | null
  tags: Readonly<Record<string, string>> | null
}

function recordOf(row: GenerationRow): GenerationRecord {
  return {
    ...attributedGenerationOfRow(row),
    sessionId: row.session_id,
    nativeFinishReason: row.native_finish_reason,
    held: readNano(row.held_nano),
    absorbed: readNano(row.absorbed_nano),
    usageDoubted: row.usage_doubted,
    ...(row.provider_cost_nano === null ? {} : { providerCost: readNano(row.provider_cost_nano) }),
    ...(row.end_user === null ? {} : { endUser: row.end_user }),
    ...(row.cached_from === null ? {} : { cached: { from: row.cached_from, percent: row.cached_percent ?? 0 } }),
    priceId: row.price_id,
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
  // A hold stores only its key. The key, which is kept after it is revoked, identifies the owner.
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
