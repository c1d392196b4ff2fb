import type { PoolClient } from 'pg'

const text = `WITH removed AS (
    DELETE FROM routes USING provider_accounts a WHERE routes.account_id = a.id AND routes.pattern = $1 AND a.name = $2
    RETURNING routes.id
  ), moved AS (
    UPDATE revisions SET revision = revision + 1 WHERE topic = 'routing' AND EXISTS (SELECT FROM removed)
  )
  SELECT id FROM removed`

/** False when there is no such route. */
export async function deleteRoute(
  client: PoolClient,
  route: { pattern: string; accountName: string },
): Promise<boolean> {
  const { rowCount } = await client.query(text, [route.pattern, route.accountName])
  return rowCount === 1
}
