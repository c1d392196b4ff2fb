import type { PoolClient } from 'pg'
import type { NewRoute } from '#ports/operators.ts'

const text = `WITH account AS (
    SELECT id FROM provider_accounts WHERE name = $2
  ), added AS (
    INSERT INTO routes (id, pattern, account_id, upstream_model, priority)
    SELECT $1, $3, account.id, $4, $5 FROM account ON CONFLICT (pattern, account_id) DO NOTHING RETURNING id
  ), moved AS (
    UPDATE revisions SET revision = revision + 1 WHERE topic = 'routing' AND EXISTS (SELECT FROM added)
  )
  SELECT EXISTS (SELECT FROM account) AS known, EXISTS (SELECT FROM added) AS added`

export async function insertRoute(
  client: PoolClient,
  route: NewRoute,
): Promise<'added' | 'exists' | 'no such account'> {
  const values = [route.id, route.accountName, route.pattern, route.upstreamModel, route.priority]
  const { rows } = await client.query<{ known: boolean; added: boolean }>(text, values)
  const [row] = rows
  if (row?.added === true) return 'added'
  return row?.known === true ? 'exists' : 'no such account'
}
