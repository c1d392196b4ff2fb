import type { Pool } from 'pg'
import { isUuid, type Uuid } from '#lib/uuid.ts'

const text = 'SELECT id FROM organizations WHERE slug = $1'

/** By the id or slug of an organization. An id is taken as it is, because a chain outlives its organization. */
export async function findChain(pool: Pool, reference: string): Promise<Uuid | null> {
  if (isUuid(reference)) return reference
  const { rows } = await pool.query<{ id: string }>(text, [reference])
  return rows[0]?.id ?? null
}
