import type { PoolClient } from 'pg'
import type { StaleSecret } from '#ports/sealed-secrets.ts'
import type { SealedColumn } from './sealed-columns.ts'

// The names come from the list of columns, never from anybody outside.
const textFor = ({ table, column }: SealedColumn): string => `UPDATE ${table} SET ${column} = given.sealed::jsonb
  FROM unnest($1::uuid[], $2::text[]) AS given (id, sealed) WHERE ${table}.id = given.id`

export async function replaceSecrets(
  client: PoolClient,
  column: SealedColumn,
  secrets: readonly StaleSecret[],
): Promise<void> {
  const ids = secrets.map(({ id }) => id)
  await client.query(textFor(column), [ids, secrets.map(({ sealed }) => JSON.stringify(sealed))])
}
