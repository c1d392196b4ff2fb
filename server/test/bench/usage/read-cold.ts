import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { Pool } from 'pg'
import type { PrivatePostgres } from '#test/drills/setup/private-postgres.ts'
// Not an expectation: the pool has the gateway's settings.
import { sumsSettings } from '#store/postgres/pools.ts'
import { recordStatements } from './recording-pool.ts'
import type { UsagePage } from './usage-pages.ts'

/** The duration of a page and of its slowest statement; the statements of a page run concurrently. */
export interface ColdRead {
  readonly pageMs: number
  readonly statementMs: number
}

const connections = 8

/** Reads a page with cold caches: Postgres restarts, and the system's page cache is dropped where possible. */
export async function readCold(engine: PrivatePostgres, page: UsagePage): Promise<ColdRead> {
  await engine.restart()
  dropCaches()
  const pool = new Pool({ connectionString: engine.url, max: connections, options: sumsSettings })
  // The next restart may come before the last connection has ended.
  pool.on('error', () => {})
  try {
    // A gateway opens its connections long before anyone views a page.
    const opened = await Promise.all(Array.from({ length: connections }, () => pool.connect()))
    for (const client of opened) client.release()
    const recording = recordStatements(pool)
    const startedAtMs = performance.now()
    await page.read(recording.pool)
    const pageMs = performance.now() - startedAtMs
    return { pageMs, statementMs: Math.max(0, ...recording.statements.map(({ ms }) => ms)) }
  } finally {
    await pool.end()
  }
}

const canDropCaches = process.platform === 'linux' && process.getuid?.() === 0

function dropCaches(): void {
  if (!canDropCaches) return
  execFileSync('sync')
  writeFileSync('/proc/sys/vm/drop_caches', '3')
}
