import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { InstitutionKey } from '#ports/institution-book.ts'
import { type InstitutionKeyRow, keyColumns, keyTables, readInstitutionKey } from './institution-key-row.ts'

const text = `SELECT ${keyColumns} FROM ${keyTables}
  WHERE k.organization_id = $1 AND k.type = 'institution' AND k.revoked_at IS NULL ORDER BY k.id`

export async function listInstitutionKeys(pool: Pool, organizationId: Uuid): Promise<InstitutionKey[]> {
  const { rows } = await pool.query<InstitutionKeyRow>(text, [organizationId])
  return rows.map(readInstitutionKey)
}
