import type { Pool } from 'pg'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import type { ExtendedHold, ExtendRequest } from '#ports/money.ts'
import { arrayLiteral } from '../array-literal.ts'

const text =
  'SELECT total_nano, refused_by FROM extend_hold($1, $2, $3::text[], $4::uuid[], $5::bigint[], $6::bigint[], $7)'

export async function extendHold(pool: Pool, request: ExtendRequest, leaseMs: number): Promise<ExtendedHold | null> {
  const { windows } = request
  const { rows } = await pool.query<{ total_nano: string; refused_by: string | null }>({
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
  const [row] = rows
  return row === undefined ? null : { total: nanoUsd(BigInt(row.total_nano)), refusedBy: row.refused_by }
}
