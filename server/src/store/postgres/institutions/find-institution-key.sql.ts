import type { Pool, PoolClient } from 'pg'
import type { InstitutionKey, InstitutionKeyReference } from '#ports/institution-book.ts'
import { type InstitutionKeyRow, keyColumns, keyTables, readInstitutionKey } from './institution-key-row.ts'

const text = `SELECT ${keyColumns} FROM ${keyTables}
  WHERE k.organization_id = $1 AND k.id = $2 AND k.type = 'institution' AND k.revoked_at IS NULL`

/** With `lock`, nobody else changes it until the transaction ends. */
export async function findInstitutionKey(
  connection: Pool | PoolClient,
  { organizationId, keyId }: InstitutionKeyReference,
  lock?: 'lock',
): Promise<InstitutionKey | null> {
  const statement = lock === undefined ? text : `${text} FOR UPDATE OF k, i`
  const { rows } = await connection.query<InstitutionKeyRow>(statement, [organizationId, keyId])
  return rows[0] === undefined ? null : readInstitutionKey(rows[0])
}
