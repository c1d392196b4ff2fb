import type { Pool } from 'pg'
import { createKey } from '#control/keys/create-key.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import type { GenerationRecord } from '#domain/ledger/generation-record.ts'
import { nanoUsd, type NanoUsd } from '#domain/money/nano-usd.ts'
import { assert } from '#lib/assert.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { KeyTerms } from '#ports/keys.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'
import { type DemoRequest, demoRequests } from './demo-requests.ts'
import { type DemoOwner, recordOf } from './record-of.ts'

export const historyDays = 31
const settledAtOnce = 200
const oneCent = 10_000_000n

/** Names of the demo keys; requests refer to them by index. The third key has exhausted its limit. */
const keyNames = ['support desk', 'code review', 'nightly summaries', 'notebook'] as const
const cappedKey = 2

/**
 * Creates a month of requests of the demo wallet. The wallet must already have its credit. The same seed and day give
 * the same month.
 */
export async function seedHistory(
  pool: Pool,
  owner: DemoOwner,
  { seed, nowMs }: { seed: number; nowMs: number },
): Promise<void> {
  const make = await createMaker(pool)
  const spent = demoRequests(seed, nowMs)
    .filter(({ key }) => key === cappedKey)
    .reduce((sum, request) => sum + make(request, { owner, keyId: owner.userId }).cost, 0n)
  const keyIds = await createKeys(pool, owner, { limit: nanoUsd(roundedUp(spent)), nowMs })
  await settleHistory(pool, { seed, nowMs }, ({ key }) => ({ owner, keyId: keyIds[key] ?? '' }))
}

interface Payer {
  readonly owner: DemoOwner
  readonly keyId: Uuid
}

/**
 * Settles a month of requests, each paid by the owner of the request, with the statement that settles every request, so
 * that ledger, sums and limits are consistent.
 */
export async function settleHistory(
  pool: Pool,
  { seed, nowMs }: { seed: number; nowMs: number },
  payerOf: (request: DemoRequest) => Payer,
): Promise<void> {
  await pool.query(`SELECT ensure_partitions(($1::timestamptz AT TIME ZONE 'UTC')::date - $2::integer, $2)`, [
    new Date(nowMs),
    historyDays,
  ])
  const make = await createMaker(pool)
  const records = demoRequests(seed, nowMs).map((request) => make(request, payerOf(request)))
  for (let at = 0; at < records.length; at += settledAtOnce) {
    const batch = records.slice(at, at + settledAtOnce)
    await settleGenerations(
      pool,
      batch.map((record) => ({ record, windows: [] })),
    )
  }
}

async function createMaker(pool: Pool): Promise<(request: DemoRequest, payer: Payer) => GenerationRecord> {
  const { models } = await createCatalogueStore(pool).load()
  return (request, { owner, keyId }) => {
    const model = models.get(request.model)
    assert(model !== undefined, `the sample catalogue has ${request.model}`)
    return recordOf(request, { owner, keyId, model })
  }
}

/** Rounds up to the next cent. */
function roundedUp(amount: bigint): bigint {
  return ((amount + oneCent - 1n) / oneCent) * oneCent
}

async function createKeys(
  pool: Pool,
  { userId }: DemoOwner,
  { limit, nowMs }: { limit: NanoUsd; nowMs: number },
): Promise<Uuid[]> {
  const { keys } = createPostgresOperators(pool)
  const ids: Uuid[] = []
  for (const [at, name] of keyNames.entries()) {
    const terms: KeyTerms = {
      name,
      type: 'standard',
      limit: at === cappedKey ? limit : null,
      period: null,
      expiresAtMs: null,
      allowedCidrs: [],
    }
    const { id } = await createKey(keys, { owner: { kind: 'user', userId }, terms, author: operatorAuthor(nowMs) })
    ids.push(id)
  }
  const monthAgo = new Date(nowMs - historyDays * 86_400_000)
  await pool.query('UPDATE api_keys SET created_at = $2 WHERE id = ANY ($1::uuid[])', [ids, monthAgo])
  return ids
}
