import type { Pool } from 'pg'
import type { ExtendRequest } from '#ports/money.ts'
import { arrayLiteral } from '../array-literal.ts'

const text = 'SELECT extend_hold($1, $2, $3::text[], $4::uuid[], $5::bigint[], $6::bigint[], $7) AS extended'

export async function extendHold(pool: Pool, request: ExtendRequest, leaseMs: number): Promise<boolean> {
  const { windows } = request
  const { rows } = await pool.query<{ extended: boolean }>({
    name: 'extend-hold',
    text,
    values: [
      request.id,
      request.total.toString(),
      arrayLiteral(windows.map((window) => window.kind)),
      arrayLiteral(windows.map((window) => window.ownerId)),
      arrayLiteral(windows.map((window) => window.startsAtMs)),
      arrayLiteral(windows.map((window) => window.limit)),
      leaseMs,
    ],
  })
  return rows[0]?.extended ?? false
}
