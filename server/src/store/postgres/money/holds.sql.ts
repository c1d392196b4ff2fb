import type { Pool } from 'pg'
import { zeroUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { ExtendedHold, ExtendRequest, HoldRequest, HoldVerdict } from '#ports/money.ts'
import { arrayLiteral, readNano, readNullableNano } from '../column-values.ts'

interface Row {
  hold_id: string
  refused_by: string | null
  room_nano: string | null
  granted_nano: string | null
}

/** Judges a batch of holds. The functions themselves lock wallets in id order. */
export async function placeHolds(
  pool: Pool,
  requests: readonly HoldRequest[],
  options: { leaseMs: number; isRetry: boolean },
): Promise<HoldVerdict[]> {
  // A retried hold may already have been placed, which only the general function checks.
  const isPlain = !options.isRetry && requests.every(({ windows }) => windows.length === 0)
  if (!isPlain) return placeAny(pool, requests, options)
  const [alone] = requests
  if (requests.length === 1 && alone !== undefined) return [await placeAlone(pool, alone, options.leaseMs)]
  const granted = await placePlain(pool, requests, options.leaseMs)
  const others = requests.filter(({ id }) => !granted.has(id))
  if (others.length === 0) return requests.map(({ id }) => granted.get(id) ?? refused)
  const verdicts = await placeAny(pool, others, options)
  for (const [position, { id }] of others.entries()) granted.set(id, verdicts[position] ?? refused)
  return requests.map(({ id }) => granted.get(id) ?? refused)
}

const refused: HoldVerdict = { allowed: false, scope: 'wallet', room: zeroUsd }

/** Grants holds without windows; the map lacks those that may not fit. */
async function placePlain(
  pool: Pool,
  requests: readonly HoldRequest[],
  leaseMs: number,
): Promise<Map<string, HoldVerdict>> {
  const { rows } = await pool.query<Omit<Row, 'refused_by'>>({
    name: 'place-holds-plain',
    text: `SELECT hold_id, room_nano, granted_nano FROM place_plain_holds(
      $1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5::bigint[], $6, $7::bigint[], $8::bigint[])`,
    values: [
      arrayLiteral(requests.map((request) => request.id)),
      arrayLiteral(requests.map((request) => request.walletId)),
      arrayLiteral(requests.map((request) => request.keyId)),
      arrayLiteral(requests.map((request) => request.amount)),
      arrayLiteral(requests.map(({ amount, estimate }) => estimate ?? amount)),
      leaseMs,
      ...growthsOf(requests),
    ],
  })
  return new Map(rows.map((row) => [row.hold_id, verdictOf({ ...row, refused_by: null })]))
}

async function placeAny(
  pool: Pool,
  requests: readonly HoldRequest[],
  options: { leaseMs: number; isRetry: boolean },
): Promise<HoldVerdict[]> {
  const text = `SELECT hold_id, refused_by, room_nano, granted_nano FROM place_holds(
    $1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5, $6,
    $7::uuid[], $8::text[], $9::uuid[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[])`
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
  return requests.map((request) => verdicts.get(request.id) ?? refused)
}

/** Judges a single hold without windows. */
async function placeAlone(pool: Pool, request: HoldRequest, leaseMs: number): Promise<HoldVerdict> {
  const { amount, growth } = request
  const { rows } = await pool.query<Pick<Row, 'granted_nano' | 'room_nano'>>({
    name: 'place-hold',
    text: 'SELECT granted_nano, room_nano FROM place_hold($1, $2, $3, $4, $5, $6, $7, $8)',
    values: [
      request.id,
      request.walletId,
      request.keyId,
      String(amount),
      String(request.estimate ?? amount),
      growth === undefined ? null : String(growth.wish),
      growth === undefined || growth.comfort === null ? null : String(growth.comfort),
      leaseMs,
    ],
  })
  const granted = rows[0]?.granted_nano ?? null
  const room = readNullableNano(rows[0]?.room_nano ?? null) ?? zeroUsd
  return granted === null
    ? { allowed: false, scope: 'wallet', room }
    : { allowed: true, granted: readNano(granted), room }
}

/** Wanted and preferred growth. Null if no hold may grow, which saves the statement that would distribute the room. */
function growthsOf(requests: readonly HoldRequest[]): [string | null, string | null] {
  if (requests.every(({ growth }) => growth === undefined)) return [null, null]
  return [
    arrayLiteral(requests.map(({ amount, growth }) => growth?.wish ?? amount)),
    arrayLiteral(requests.map(({ growth }) => growth?.comfort ?? 'NULL')),
  ]
}

function verdictOf(row: Row): HoldVerdict {
  const room = readNullableNano(row.room_nano) ?? zeroUsd
  if (row.refused_by !== null) return { allowed: false, scope: row.refused_by, room }
  return { allowed: true, granted: readNullableNano(row.granted_nano) ?? zeroUsd, room }
}

export async function extendHold(pool: Pool, request: ExtendRequest, leaseMs: number): Promise<ExtendedHold | null> {
  const text =
    'SELECT total_nano, refused_by FROM extend_hold($1, $2, $3::text[], $4::uuid[], $5::bigint[], $6::bigint[], $7)'
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
  return row === undefined ? null : { total: readNano(row.total_nano), refusedBy: row.refused_by }
}

export async function renewHolds(pool: Pool, ids: readonly Uuid[], leaseMs: number): Promise<void> {
  // Only the database's clock decides about leases: a gateway with a wrong clock neither loses nor keeps a hold. A hold
  // that a job has taken over meanwhile has a longer lease and keeps it.
  const text = `UPDATE holds SET lease_until = greatest(lease_until, clock_timestamp() + $2 * interval '1 millisecond')
    FROM unnest($1::uuid[]) AS renewed (id) WHERE holds.id = renewed.id`
  await pool.query({ name: 'renew-holds', text, values: [arrayLiteral(ids), leaseMs] })
}

/** Lets the next sweep return holds that will not be used. */
export async function lapseHolds(pool: Pool, ids: readonly Uuid[]): Promise<void> {
  const text = `UPDATE holds SET lease_until = clock_timestamp()
    FROM unnest($1::uuid[]) AS lapsed (id) WHERE holds.id = lapsed.id`
  await pool.query({ name: 'lapse-holds', text, values: [arrayLiteral(ids)] })
}

/** Ends holds whose lease has expired and returns how many. */
export async function sweepHolds(pool: Pool, atMost: number): Promise<number> {
  const { rows } = await pool.query<{ swept: number }>({
    name: 'sweep-holds',
    text: 'SELECT sweep_holds($1) AS swept',
    values: [atMost],
  })
  return rows[0]?.swept ?? 0
}
