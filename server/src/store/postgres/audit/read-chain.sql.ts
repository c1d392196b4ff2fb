import type { PoolClient } from 'pg'
import type { ChainedEntry } from '#domain/audit/chained-entry.ts'
import type { Uuid } from '#lib/uuid.ts'

const text = `SELECT chain_id AS "chainId", sequence, id, extract(epoch FROM at)::text AS "epochS", actor_kind AS "actorKind",
    actor_id AS "actorId", actor_name AS "actorName", action, target_kind AS "targetKind", target_id AS "targetId",
    before::text, after::text, details::text, request_id AS "requestId", encode(previous_hash, 'hex') AS "previousHash",
    encode(hash, 'hex') AS hash
  FROM audit_entries WHERE chain_id = $1 AND ($2::bigint IS NULL OR sequence > $2) ORDER BY sequence LIMIT $3`

type Row = Omit<ChainedEntry, 'sequence'> & { sequence: string }

export async function readChain(
  client: PoolClient,
  { chainId, after, limit }: { chainId: Uuid; after: bigint | null; limit: number },
): Promise<ChainedEntry[]> {
  const { rows } = await client.query<Row>({ name: 'read-chain', text, values: [chainId, after, limit] })
  return rows.map((row) => ({ ...row, sequence: BigInt(row.sequence) }))
}
