import { fileURLToPath } from 'node:url'
import type { Pool } from 'pg'
import { windowStart } from '#domain/limits/window.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { prepareDatabase } from '#store/postgres/schema/prepare-database.ts'
import type { Payer } from '../organizations/money-load.ts'
import type { BenchSettings } from '../settings.ts'
import { withPool } from '../with-pool.ts'
import { compareSizes, type GrowthOfBatch, type SizedPairs } from './compare-sizes.ts'
import { createPlainPayers, idOf, payerNumber } from './plain-payers.ts'
import { openPairs, type Pairs } from './send-pairs.ts'

export interface CustomerGrowthFigures {
  readonly customers: number
  readonly batches: readonly GrowthOfBatch[]
}

interface CustomerGrowthSettings {
  /** Creates an empty database, and returns its URL. */
  readonly place: (name: string) => Promise<string>
  readonly customers: number
  readonly growth: BenchSettings['growth']
  readonly log: (line: string) => void
}

const sqlFolder = fileURLToPath(new URL('../../../sql', import.meta.url))
// With ten customers, a batch of fifty writes the rows of ten only, and so costs less.
const smallSizes = [10, 1_000] as const
const limit = nanoUsd(1_000_000_000_000_000n)

/** The cost of a hold and its settlement for customers of one wallet, each with limits and spend. */
export async function measureCustomerGrowth({
  place,
  customers,
  growth,
  log,
}: CustomerGrowthSettings): Promise<CustomerGrowthFigures> {
  await using cleanup = new AsyncDisposableStack()
  const open = async (count: number): Promise<Pairs> => {
    log(`growth: ${count} customers of one wallet`)
    const url = await place(`customers_${count}`)
    await withPool(url, (pool) => fill(pool, count))
    const pairs = openPairs(url, payerOfCustomers(count))
    cleanup.defer(() => pairs.close())
    return pairs
  }
  const small: SizedPairs[] = []
  for (const size of smallSizes) small.push({ size, pairs: await open(size) })
  const batches = await compareSizes({ small, large: await open(customers) }, { ...growth, log })
  return { customers, batches }
}

/** Draws one customer of the wallet uniformly. */
function payerOfCustomers(count: number): () => Payer {
  const payerOf = payerNumber(1)
  return () => {
    const endCustomerId = idOf(`customer ${1 + Math.floor(Math.random() * count)}`)
    const nowMs = Date.now()
    const windowOf = (length: 'day' | 'life') => ({
      kind: `customer_${length}`,
      ownerId: endCustomerId,
      startsAtMs: windowStart(length, nowMs),
      limit,
    })
    return { ...payerOf(), endCustomerId, windows: [windowOf('day'), windowOf('life')] }
  }
}

async function fill(pool: Pool, count: number): Promise<void> {
  await prepareDatabase(pool, sqlFolder)
  await createPlainPayers(pool, 1)
  const number = 'generate_series(1, $1::integer) AS n'
  await pool.query(
    `INSERT INTO end_customers (id, wallet_id, external_id, day_limit_nano, total_limit_nano)
     SELECT md5('customer ' || n)::uuid, md5('wallet 1')::uuid, 'customer-' || n, ${limit}, ${limit} FROM ${number}`,
    [count],
  )
  await pool.query(
    `INSERT INTO spend_days (kind, owner_id, day, spent_nano, requests, tokens, last_at)
     SELECT 'customer', md5('customer ' || n)::uuid, current_date - 1, 400, 1, 370, now() - interval '1 day' FROM ${number}`,
    [count],
  )
  await pool.query(
    `INSERT INTO spend_windows (kind, owner_id, starts_at, spent_nano, held_nano)
     SELECT 'customer_life', md5('customer ' || n)::uuid, $2::bigint, 400, 0 FROM ${number}`,
    [count, windowStart('life', Date.now())],
  )
  await pool.query('VACUUM ANALYZE end_customers, spend_days, spend_windows')
  await pool.query('CHECKPOINT')
}
