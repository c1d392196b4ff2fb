import { fileURLToPath } from 'node:url'
import type { Pool } from 'pg'
import { prepareDatabase } from '#store/postgres/schema/prepare-database.ts'
import { createPrivatePostgres, type PrivatePostgres } from '#test/drills/setup/private-postgres.ts'
import { withPool } from '../with-pool.ts'
import { createBenchCallers } from './bench-callers.sql.ts'
import { countRollups, type RollupCounts, rollupTables } from './count-rollups.ts'
import { engineSettings } from './engine-settings.ts'
import { findSubject } from './find-subject.ts'
import { type RollupRound, rollUpInRounds } from './rollup-rounds.ts'
import { type LoadTimes, loadStage } from './load-generations.ts'
import { type ColdRead, readCold } from './read-cold.ts'
import { readPagePlan } from './read-page-plan.ts'
import { type UsagePage, usagePages } from './usage-pages.ts'

interface UsageSettings {
  /** The number of rows of all stages together. */
  readonly rows: number
  /** The reads per page at the end; earlier stages read at most twice, for the shape of the curve. */
  readonly rounds: number
  /** Continues with the database of an earlier run, and leaves it running for the next. */
  readonly keptFolder?: string
}

/** The results after this many requests had been rolled up. */
export interface UsageStage {
  readonly rows: number
  readonly load: LoadTimes
  readonly rollup: readonly RollupRound[]
  readonly rollups: RollupCounts
  readonly pages: readonly PageFigures[]
}

export interface PageFigures {
  readonly name: string
  readonly statements: number
  readonly rowsRead: number
  readonly blocks: number
  readonly reads: readonly ColdRead[]
}

const sqlFolder = fileURLToPath(new URL('../../../sql', import.meta.url))
/** Each stage adds to all days, so later requests are late for days already rolled up. */
const shares = [0.1, 0.2, 0.7]
const roundRows = 500_000
const dayCount = 400

type Log = (line: string) => void

/** Fills a database in stages, rolls up each, and reads every page with cold caches. */
export async function measureUsage(settings: UsageSettings, log: Log): Promise<UsageStage[]> {
  await using cleanup = new AsyncDisposableStack()
  const { keptFolder } = settings
  const engine = await createPrivatePostgres({
    settings: engineSettings,
    ...(keptFolder === undefined ? {} : { keptFolder }),
  })
  if (keptFolder === undefined) cleanup.defer(() => engine.remove())
  log(`usage: ${engine.url}`)
  await withPool(engine.url, async (pool) => {
    await prepareDatabase(pool, sqlFolder)
    await createBenchCallers(pool, { days: dayCount })
  })
  const stages: UsageStage[] = []
  for (const [index, share] of shares.entries()) {
    const isLast = index === shares.length - 1
    const rounds = isLast ? settings.rounds : Math.min(settings.rounds, 2)
    const grown = await withPool(engine.url, (pool) =>
      grow(pool, { stage: index + 1, rows: settings.rows * share, log }),
    )
    // An earlier run has already passed this stage.
    if (grown === null) continue
    const { pages, ...figures } = grown
    stages.push({ ...figures, pages: await readPages(engine, pages, { rounds, log }) })
  }
  return stages
}

type PlannedPage = Omit<PageFigures, 'reads'> & { readonly page: UsagePage }

/** Returns null if more than this stage has already been rolled up. */
async function grow(
  pool: Pool,
  { stage, rows, log }: { stage: number; rows: number; log: Log },
): Promise<(Omit<UsageStage, 'pages'> & { pages: readonly PlannedPage[] }) | null> {
  log(`usage, stage ${stage}: ${rows} more requests`)
  const load = await loadStage(pool, { stage, rows, log })
  const total = await countLoaded(pool, stage)
  const left = total - (await countRolledUp(pool))
  if (left < 0) return null
  // Here and below: autovacuum would do the same, at varying moments.
  if (load.rows > 0) await pool.query('VACUUM ANALYZE generations')
  const rollup = await rollUpInRounds(pool, { rows: left, roundRows, log })
  await pool.query(`VACUUM ANALYZE ${rollupTables.join(', ')}`)
  await pool.query('CHECKPOINT')
  const subject = await findSubject(pool)
  const pages: PlannedPage[] = []
  for (const page of usagePages(subject)) {
    const { statements, rowsRead, blocks } = await readPagePlan(pool, page)
    pages.push({ page, name: page.name, statements, rowsRead, blocks })
  }
  return { rows: total, load, rollup, rollups: await countRollups(pool, subject.walletId), pages }
}

async function readPages(
  engine: PrivatePostgres,
  pages: readonly PlannedPage[],
  { rounds, log }: { rounds: number; log: Log },
): Promise<PageFigures[]> {
  const reads = pages.map((): ColdRead[] => [])
  for (let round = 1; round <= rounds; round += 1) {
    for (const [index, { page }] of pages.entries()) reads[index]?.push(await readCold(engine, page))
    log(`  pages were read ${round} of ${rounds} times`)
  }
  return pages.map(({ page: _, ...figures }, index) => ({ ...figures, reads: reads[index] ?? [] }))
}

async function countLoaded(pool: Pool, upToStage: number): Promise<number> {
  const text = 'SELECT coalesce(sum(rows), 0)::bigint AS rows FROM bench_loads WHERE stage <= $1'
  const { rows } = await pool.query<{ rows: string }>(text, [upToStage])
  return Number(rows[0]?.rows ?? 0)
}

async function countRolledUp(pool: Pool): Promise<number> {
  const text = 'SELECT coalesce(sum(requests), 0)::bigint AS rows FROM usage_account_days'
  const { rows } = await pool.query<{ rows: string }>(text)
  return Number(rows[0]?.rows ?? 0)
}
