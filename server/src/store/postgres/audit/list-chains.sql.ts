import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

// Steps from chain to chain along the primary key: as many look-ups as there are chains, not as there are entries.
const text = `WITH RECURSIVE chains AS (
    SELECT (SELECT chain_id FROM audit_entries ORDER BY chain_id LIMIT 1) AS chain_id
    UNION ALL
    SELECT (SELECT e.chain_id FROM audit_entries e WHERE e.chain_id > c.chain_id ORDER BY e.chain_id LIMIT 1)
    FROM chains c WHERE c.chain_id IS NOT NULL
  )
  SELECT chain_id FROM chains WHERE chain_id IS NOT NULL UNION SELECT chain_id FROM audit_heads ORDER BY chain_id`

export async function listChains(client: PoolClient): Promise<Uuid[]> {
  const { rows } = await client.query<{ chain_id: string }>(text)
  return rows.map((row) => row.chain_id)
}
