import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

const text = `SELECT id, secret, backup_codes AS "backupCodes" FROM auth_two_factors
  WHERE $1::uuid IS NULL OR id > $1 ORDER BY id LIMIT $2 FOR NO KEY UPDATE`

/** Both texts are encrypted. */
export interface SecondFactorRow {
  id: Uuid
  secret: string
  backupCodes: string
}

/** In the order of their ids, kept from others until the transaction ends. */
export async function lockSecondFactors(
  client: PoolClient,
  page: { after: Uuid | null; limit: number },
): Promise<SecondFactorRow[]> {
  const { rows } = await client.query<SecondFactorRow>(text, [page.after, page.limit])
  return rows
}
