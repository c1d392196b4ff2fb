import type { Pool } from 'pg'
import type { RefusalBatch, RefusalStore } from '#ports/refusals.ts'
import { isDataFault } from '../faults.ts'

// The row of the writer decides whether the rest happens: a batch that Postgres committed without an answer changes
// nothing when it is sent again. Counts are inserted in the order of their key, so that two gateways never wait for
// each other in a circle.
const text = `WITH accepted AS (
    INSERT INTO refusal_writers AS w (id, batch) VALUES ($1, $2)
    ON CONFLICT (id) DO UPDATE SET batch = excluded.batch, written_at = now() WHERE w.batch < excluded.batch
    RETURNING 1
  ), rows AS (
    INSERT INTO refusals (id, wallet_id, key_id, user_id, organization_id, member_id, team_id, endpoint, error, status, bound_by, model)
    SELECT u.* FROM accepted, unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::uuid[], $9::uuid[],
      $10::text[], $11::text[], $12::smallint[], $13::text[], $14::text[]) AS u
    ON CONFLICT DO NOTHING
  )
  INSERT INTO refusal_counts AS c (wallet_id, hour, key_id, error, count)
  SELECT u.wallet_id, to_timestamp(u.hour_ms / 1000), u.key_id, u.error, u.count
  FROM accepted, unnest($15::uuid[], $16::bigint[], $17::uuid[], $18::text[], $19::bigint[]) AS u (wallet_id, hour_ms, key_id, error, count)
  ORDER BY 1, 2, 3, 4
  ON CONFLICT (wallet_id, hour, key_id, error) DO UPDATE SET count = c.count + excluded.count`

/** Refused requests in Postgres, one statement a batch. */
export function createRefusalStore(pool: Pool): RefusalStore {
  return {
    write: async (batch) => {
      try {
        await pool.query({ name: 'write-refusals', text, values: valuesOf(batch) })
        return 'written'
      } catch (error) {
        if (isDataFault(error)) return 'lost'
        throw error
      }
    },
  }
}

function valuesOf({ writer, number, refusals, counts }: RefusalBatch): unknown[] {
  const rowColumns = [
    'id',
    'walletId',
    'keyId',
    'userId',
    'organizationId',
    'memberId',
    'teamId',
    'endpoint',
    'error',
    'status',
    'boundBy',
    'model',
  ] as const
  const countColumns = ['walletId', 'hourMs', 'keyId', 'error', 'count'] as const
  return [
    writer,
    number,
    ...rowColumns.map((column) => refusals.map((refusal) => refusal[column])),
    ...countColumns.map((column) => counts.map((count) => count[column])),
  ]
}
