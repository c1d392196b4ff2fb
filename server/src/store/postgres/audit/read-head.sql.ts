import type { PoolClient } from 'pg'
import type { ChainHead } from '#domain/audit/chained-entry.ts'
import type { Uuid } from '#lib/uuid.ts'

const text = `SELECT sequence, encode(hash, 'hex') AS hash FROM audit_heads WHERE chain_id = $1`

export async function readHead(client: PoolClient, chainId: Uuid): Promise<ChainHead | null> {
  const { rows } = await client.query<{ sequence: string; hash: string }>(text, [chainId])
  const [row] = rows
  return row === undefined ? null : { sequence: BigInt(row.sequence), hash: row.hash }
}
