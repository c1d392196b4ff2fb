import type { Pool } from 'pg'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import type { HoldRequest, HoldVerdict } from '#ports/money.ts'
import { arrayLiteral } from '../array-literal.ts'

const text = `SELECT hold_id, refused_by, room_nano, granted_nano FROM place_holds(
  $1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5, $6,
  $7::uuid[], $8::text[], $9::uuid[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[])`

interface Row {
  hold_id: string
  refused_by: string | null
  room_nano: string | null
  granted_nano: string | null
}

/** Judges a batch of holds. Wallets are locked in id order by the function itself. */
export async function placeHolds(
  pool: Pool,
  requests: readonly HoldRequest[],
  options: { leaseMs: number; isRetry: boolean },
): Promise<HoldVerdict[]> {
  const windowHolds: string[] = []
  const kinds: string[] = []
  const owners: string[] = []
  const starts: number[] = []
  const limits: bigint[] = []
  for (const request of requests) {
    for (const window of request.windows) {
      windowHolds.push(request.id)
      kinds.push(window.kind)
      owners.push(window.ownerId)
      starts.push(window.startsAtMs)
      limits.push(window.limit)
    }
  }
  const { rows } = await pool.query<Row>({
    name: 'place-holds',
    text,
    values: [
      arrayLiteral(requests.map((request) => request.id)),
      arrayLiteral(requests.map((request) => request.walletId)),
      arrayLiteral(requests.map((request) => request.keyId)),
      arrayLiteral(requests.map((request) => request.amount)),
      options.leaseMs,
      options.isRetry,
      arrayLiteral(windowHolds),
      arrayLiteral(kinds),
      arrayLiteral(owners),
      arrayLiteral(starts),
      arrayLiteral(limits),
      arrayLiteral(requests.map(({ amount, estimate }) => estimate ?? amount)),
      ...growthsOf(requests),
    ],
  })
  const verdicts = new Map(rows.map((row) => [row.hold_id, verdictOf(row)]))
  return requests.map((request) => verdicts.get(request.id) ?? { allowed: false, scope: 'wallet', room: nanoUsd(0n) })
}

/** Wishes and comforts; null where nobody has any, which spares the statement that would share the room. */
function growthsOf(requests: readonly HoldRequest[]): [string | null, string | null] {
  if (requests.every(({ growth }) => growth === undefined)) return [null, null]
  return [
    arrayLiteral(requests.map(({ amount, growth }) => growth?.wish ?? amount)),
    arrayLiteral(requests.map(({ growth }) => growth?.comfort ?? 'NULL')),
  ]
}

function verdictOf(row: Row): HoldVerdict {
  const room = nanoUsd(BigInt(row.room_nano ?? '0'))
  if (row.refused_by !== null) return { allowed: false, scope: row.refused_by, room }
  return { allowed: true, granted: nanoUsd(BigInt(row.granted_nano ?? '0')), room }
}
