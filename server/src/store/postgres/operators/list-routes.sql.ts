import type { Pool } from 'pg'
import type { RouteListing } from '#ports/operators.ts'

const text = `SELECT r.pattern, a.name AS "accountName", r.upstream_model AS "upstreamModel", r.priority, a.enabled AS "accountEnabled"
  FROM routes r JOIN provider_accounts a ON a.id = r.account_id ORDER BY r.pattern, r.priority, r.id`

/** In the order of trying, pattern by pattern. */
export async function listRoutes(pool: Pool): Promise<RouteListing[]> {
  const { rows } = await pool.query<RouteListing>(text)
  return rows
}
