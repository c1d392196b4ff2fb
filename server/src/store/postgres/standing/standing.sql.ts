import type { Pool } from 'pg'
import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'

/** The state of the service, as far as Postgres knows. */
interface Standing {
  /** The addresses that gateways and workers are connected from, or `socket` for this machine. */
  readonly gateways: readonly string[]
  readonly workers: readonly string[]
  readonly holds: { readonly count: number; readonly amount: NanoUsd; readonly overdue: number }
  /** Organizations, teams and members whose spend breaker tripped in the last hour. */
  readonly trips: number
  readonly debt: NanoUsd
  readonly brakeSinceMs: number
}

interface Row {
  gateways: string[]
  workers: string[]
  holds: number
  held: string
  overdue: number
  trips: number
  debt: string
  brake_since: Date
}

const connected = (names: string): string => `ARRAY(SELECT DISTINCT coalesce(host(a.client_addr), 'socket')
    FROM pg_stat_activity a WHERE a.datname = current_database() AND a.application_name IN (${names}) ORDER BY 1)`

const text = `SELECT ${connected(`'weir', 'weir holds', 'weir settles'`)} AS gateways, ${connected(`'weir worker', 'weir rollup'`)} AS workers,
    h.holds, h.held, h.overdue,
    (SELECT count(*)::integer FROM breaker_trips t WHERE t.last_at > clock_timestamp() - interval '1 hour') AS trips,
    (SELECT coalesce(sum(-(w.balance_nano + w.credit_line_nano)), 0)::text
     FROM wallets w WHERE w.balance_nano + w.credit_line_nano < 0) AS debt,
    (SELECT b.changed_at FROM brake b) AS brake_since
  FROM (SELECT count(*)::integer AS holds, coalesce(sum(amount_nano), 0)::text AS held,
          (count(*) FILTER (WHERE lease_until < clock_timestamp() - $1 * interval '1 millisecond'))::integer AS overdue
        FROM holds) AS h`

/** `overdueMs`: how long a hold may remain after its lease. */
export async function readStanding(pool: Pool, { overdueMs }: { overdueMs: number }): Promise<Standing> {
  const { rows } = await pool.query<Row>(text, [overdueMs])
  const [row] = rows
  if (row === undefined) throw new Error('the status query returned no row')
  return {
    gateways: row.gateways,
    workers: row.workers,
    holds: { count: row.holds, amount: nanoUsd(BigInt(row.held)), overdue: row.overdue },
    trips: row.trips,
    debt: nanoUsd(BigInt(row.debt)),
    brakeSinceMs: row.brake_since.getTime(),
  }
}
