import { fileURLToPath } from 'node:url'
import type { Pool } from 'pg'
import { prepareDatabase } from '#store/postgres/schema/prepare-database.ts'
import { createPrivatePostgres } from '#test/drills/setup/private-postgres.ts'
import type { BenchSettings } from '../settings.ts'
import { createBenchCallers } from '../usage/bench-callers.sql.ts'
import { engineSettings } from '../usage/engine-settings.ts'
import { loadStage } from '../usage/load-generations.ts'
import { withPool } from '../with-pool.ts'
import { compareSizes, type GrowthOfBatch, type SizedPairs } from './compare-sizes.ts'
import { type CustomerGrowthFigures, measureCustomerGrowth } from './measure-customer-growth.ts'
import { createPlainPayers, payerNumber } from './plain-payers.ts'
import { openPairs, type Pairs } from './send-pairs.ts'

/** The cost of a hold and its settlement for Postgres in a large database, compared with small ones. */
export interface GrowthFigures {
  readonly wallets: number
  readonly rows: number
  readonly batches: readonly GrowthOfBatch[]
  /** The same for requests of limited customers of one wallet. */
  readonly customers: CustomerGrowthFigures
}

interface GrowthSettings {
  readonly wallets: number
  readonly rows: number
  readonly growth: BenchSettings['growth']
  readonly log: (line: string) => void
}

const sqlFolder = fileURLToPath(new URL('../../../sql', import.meta.url))
// With ten wallets, a batch of fifty contains each of them five times.
const smallSizes = [10, 1_000] as const
const dayCount = 100

/** Fills one of three databases, and sends the same statements to all in turns. */
export async function measureGrowth({ wallets, rows, growth, log }: GrowthSettings): Promise<GrowthFigures> {
  await using cleanup = new AsyncDisposableStack()
  const engine = await createPrivatePostgres({ settings: engineSettings })
  cleanup.defer(() => engine.remove())
  const place = async (name: string): Promise<string> => {
    await withPool(engine.url, async (pool) => void (await pool.query(`CREATE DATABASE ${name}`)))
    const url = new URL(engine.url)
    url.pathname = `/${name}`
    return url.href
  }
  const open = (url: string, count: number): Pairs => {
    const pairs = openPairs(url, payerNumber(count))
    cleanup.defer(() => pairs.close())
    return pairs
  }
  const small: SizedPairs[] = []
  for (const count of smallSizes) {
    const url = await place(`small_${count}`)
    await withPool(url, (pool) => prepare(pool, count))
    small.push({ size: count, pairs: open(url, count) })
  }
  log(`growth: ${wallets} wallets and ${rows} requests`)
  const largeUrl = await place('large')
  await withPool(largeUrl, (pool) => fill(pool, { wallets, rows, log }))
  const large = open(largeUrl, wallets)
  const batches = await compareSizes({ small, large }, { ...growth, log })
  return { wallets, rows, batches, customers: await measureCustomerGrowth({ place, customers: wallets, growth, log }) }
}

async function prepare(pool: Pool, wallets: number): Promise<void> {
  await prepareDatabase(pool, sqlFolder)
  await createPlainPayers(pool, wallets)
}

async function fill(pool: Pool, { wallets, rows, log }: Omit<GrowthSettings, 'growth'>): Promise<void> {
  await prepare(pool, wallets)
  await createBenchCallers(pool, { days: dayCount })
  await loadStage(pool, { stage: 1, rows, log })
  await pool.query('VACUUM ANALYZE wallets, generations')
  await pool.query('CHECKPOINT')
}
