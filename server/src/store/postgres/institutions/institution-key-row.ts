import type { InstitutionKey } from '#ports/institution-book.ts'
import { type InstitutionTermsRow, readTerms, termsColumns } from './institution-terms-row.ts'

/** A key (`k`) with its terms (`i`), and how it is read. */
export const keyColumns = `k.id, k.name, k.enabled, k.prefix, k.suffix, k.created_at, ${termsColumns},
    (SELECT count(*) FROM institution_sessions s
      WHERE s.key_id = k.id AND s.revoked_at IS NULL AND s.expires_at > now())::integer AS active_sessions`

export const keyTables = 'api_keys k JOIN institution_keys i ON i.key_id = k.id'

export interface InstitutionKeyRow extends InstitutionTermsRow {
  id: string
  name: string
  enabled: boolean
  prefix: string
  suffix: string
  created_at: Date
  active_sessions: number
}

export function readInstitutionKey(row: InstitutionKeyRow): InstitutionKey {
  return {
    id: row.id,
    name: row.name,
    enabled: row.enabled,
    terms: readTerms(row),
    prefix: row.prefix,
    suffix: row.suffix,
    createdAtMs: row.created_at.getTime(),
    activeSessions: row.active_sessions,
  }
}
