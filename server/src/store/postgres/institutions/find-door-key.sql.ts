import type { Pool } from 'pg'
import type { DoorKey } from '#ports/institution-door.ts'
import { type InstitutionTermsRow, readTerms, termsColumns } from './institution-terms-row.ts'

const text = `SELECT k.id, k.enabled, o.id AS organization_id, o.name AS organization_name,
    o.suspended_at IS NOT NULL AS organization_suspended, ${termsColumns}
  FROM api_keys k
  JOIN institution_keys i ON i.key_id = k.id
  JOIN organizations o ON o.id = k.organization_id
  WHERE k.secret_hash = decode($1, 'hex') AND k.type = 'institution' AND k.revoked_at IS NULL`

interface Row extends InstitutionTermsRow {
  id: string
  enabled: boolean
  organization_id: string
  organization_name: string
  organization_suspended: boolean
}

export async function findDoorKey(pool: Pool, keyHash: string): Promise<DoorKey | null> {
  const { rows } = await pool.query<Row>({ name: 'find-door-key', text, values: [keyHash] })
  const [row] = rows
  if (row === undefined) return null
  return {
    id: row.id,
    enabled: row.enabled,
    organizationId: row.organization_id,
    organizationName: row.organization_name,
    organizationSuspended: row.organization_suspended,
    terms: readTerms(row),
  }
}
