import type { Pool } from 'pg'
import { dayMs } from '#test/setup/day.ts'
import type { PageSubject } from './usage-pages.ts'

/** Finds the organization, its most used model and app, and the key that uses both most. */
export async function findSubject(pool: Pool): Promise<PageSubject> {
  const text = `WITH used AS (
      SELECT s.key_id, s.member_id, s.model, s.app_name, f.wallet_id, sum(f.requests) AS requests
      FROM usage_months f JOIN usage_series s ON s.id = f.series_id
      WHERE f.wallet_id = (SELECT wallet_id FROM bench_callers WHERE w = 0 LIMIT 1) GROUP BY 1, 2, 3, 4, 5)
    SELECT c.organization_id AS "organizationId", c.wallet_id AS "walletId", c.key_id AS "keyId", c.member_id AS "memberId",
      used.model, used.app_name AS app, (SELECT extract(epoch FROM max(day))::bigint * 1000 FROM bench_days) AS "lastDayMs"
    FROM used JOIN bench_callers c ON c.key_id = used.key_id
    WHERE used.model = (${mostUsed('model')}) AND used.app_name = (${mostUsed('app_name')})
    ORDER BY used.requests DESC LIMIT 1`
  const { rows } = await pool.query<Omit<PageSubject, 'nowMs'> & { lastDayMs: string }>(text)
  const [row] = rows
  if (row === undefined) throw new Error('nothing was rolled up for the organization')
  const { lastDayMs, ...subject } = row
  return { ...subject, nowMs: Number(lastDayMs) + dayMs - 1 }
}

function mostUsed(column: string): string {
  return `SELECT ${column} FROM used GROUP BY 1 ORDER BY sum(requests) DESC LIMIT 1`
}
