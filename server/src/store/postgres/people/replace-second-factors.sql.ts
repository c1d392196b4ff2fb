import type { PoolClient } from 'pg'
import type { SecondFactorRow } from './lock-second-factors.sql.ts'

const text = `UPDATE auth_two_factors SET secret = given.secret, backup_codes = given.backup_codes
  FROM unnest($1::uuid[], $2::text[], $3::text[]) AS given (id, secret, backup_codes) WHERE auth_two_factors.id = given.id`

export async function replaceSecondFactors(client: PoolClient, rows: readonly SecondFactorRow[]): Promise<void> {
  const values = [rows.map(({ id }) => id), rows.map(({ secret }) => secret), rows.map((row) => row.backupCodes)]
  await client.query(text, values)
}
