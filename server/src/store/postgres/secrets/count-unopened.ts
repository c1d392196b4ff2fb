import type { Pool } from 'pg'
import { canOpen, type SealingKey } from '#lib/seal.ts'
import type { Uuid } from '#lib/uuid.ts'
import { sealedColumns } from './sealed-secrets.ts'

export interface OpenedPlace {
  /** Name of the table. */
  readonly place: string
  readonly sealed: number
  /** Values that no configured secret decrypts. */
  readonly unopened: number
}

const pageSize = 1_000

interface Row {
  id: Uuid
  key_id: string
  wrapped_key: string
}

/** Tries to decrypt every encrypted value of these tables, or of all. It only reads and decrypts the data keys. */
export async function countUnopened(
  pool: Pool,
  key: SealingKey,
  places: readonly string[] = sealedColumns.map(({ table }) => table),
): Promise<OpenedPlace[]> {
  const opened: OpenedPlace[] = []
  for (const column of sealedColumns.filter(({ table }) => places.includes(table))) {
    opened.push(await openPlace(pool, key, column))
  }
  return opened
}

async function openPlace(
  pool: Pool,
  key: SealingKey,
  { table, column, associated }: (typeof sealedColumns)[number],
): Promise<OpenedPlace> {
  // The names come from the list of columns, never from a request.
  const text = `SELECT id, ${column}->>'keyId' AS key_id, ${column}->>'wrappedKey' AS wrapped_key FROM ${table}
    WHERE ${column} IS NOT NULL AND ($1::uuid IS NULL OR id > $1) ORDER BY id LIMIT $2`
  const count = { sealed: 0, unopened: 0 }
  let after: Uuid | null = null
  for (;;) {
    const rows: Row[] = (await pool.query<Row>(text, [after, pageSize])).rows
    count.sealed += rows.length
    count.unopened += rows.filter(
      ({ id, key_id, wrapped_key }) => !canOpen(key, { keyId: key_id, wrappedKey: wrapped_key }, associated(id)),
    ).length
    const last = rows.at(-1)
    if (last === undefined) return { place: table, ...count }
    after = last.id
  }
}
