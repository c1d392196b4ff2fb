import type { Pool } from 'pg'
import { loadDay } from './load-day.sql.ts'

const loadersAtOnce = 2

export interface LoadTimes {
  readonly rows: number
  readonly seconds: number
}

/** Spreads this many requests over all days. Days loaded by an earlier run stay unchanged. */
export async function loadStage(
  pool: Pool,
  input: { stage: number; rows: number; log: (line: string) => void },
): Promise<LoadTimes> {
  const startedAtMs = performance.now()
  const { days, dayCount } = await missingDays(pool, input.stage)
  const perDay = Math.ceil(input.rows / dayCount)
  let rows = 0
  const loadNext = async (): Promise<void> => {
    for (let day = days.shift(); day !== undefined; day = days.shift()) {
      const loaded = await loadDay(pool, { stage: input.stage, day, rows: perDay })
      rows += loaded
      if (days.length % 50 === 0) input.log(`  ${rows} requests after ${secondsSince(startedAtMs)} s`)
    }
  }
  await Promise.all(Array.from({ length: loadersAtOnce }, loadNext))
  return { rows, seconds: secondsSince(startedAtMs) }
}

/** The missing days, oldest first, and the total number of days. */
async function missingDays(pool: Pool, stage: number): Promise<{ days: string[]; dayCount: number }> {
  const text = `SELECT d.day::text, l.day IS NULL AS missing
    FROM bench_days d LEFT JOIN bench_loads l ON l.stage = $1 AND l.day = d.day ORDER BY d.day`
  const { rows } = await pool.query<{ day: string; missing: boolean }>(text, [stage])
  return { days: rows.filter(({ missing }) => missing).map(({ day }) => day), dayCount: rows.length }
}

function secondsSince(startedAtMs: number): number {
  return Math.round((performance.now() - startedAtMs) / 100) / 10
}
