import type { Pool, PoolClient } from 'pg'
import { answerLifeMs } from '#domain/media/answer-keys.ts'
import { isJsonObject, type JsonObject, parseJsonObject, stringAt } from '#lib/json.ts'
import { parseSealed, seal, type SealingKey, unseal } from '#lib/seal.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { ClaimedWrite, WriteAnswer, WriteAnswers, WriteClaim } from '#ports/write-answers.ts'
import { refuseWhenAway } from '../faults.ts'

// No account request takes as long. A gateway that has not answered by then counts as dead.
const leaseMs = 60_000

export function createWriteAnswers(pool: Pool, sealingKey: SealingKey): WriteAnswers {
  return {
    claim: (request) => refuseWhenAway(claim(pool, sealingKey, request)),
    keep: async (scope, status, answer) => {
      const sealed = answer === null ? null : seal(sealingKey, JSON.stringify(answer), nameOf(scope))
      const text = 'UPDATE write_answers SET status = $2, sealed = $3 WHERE scope = $1'
      await pool.query({ name: 'keep-write-answer', text, values: [scope, status, sealed] })
    },
    forget: async (scope) => {
      await pool.query({ name: 'forget-write', text: 'DELETE FROM write_answers WHERE scope = $1', values: [scope] })
    },
  }
}

interface ClaimRow {
  readonly is_new: boolean
  readonly is_same: boolean
  readonly is_abandoned: boolean
  readonly status: number | null
  readonly sealed: JsonObject | null
}

/**
 * One statement, because two clients may send one key at once. A row that is not visible yet belongs to a running
 * request.
 */
async function claim(
  pool: Pool,
  sealingKey: SealingKey,
  { scope, fingerprint, userId }: WriteClaim,
): Promise<ClaimedWrite> {
  const text = `WITH claimed AS (
      INSERT INTO write_answers AS a (scope, fingerprint, user_id, lease_until, expires_at)
      VALUES ($1, $2, $3, clock_timestamp() + $4 * interval '1 ms', clock_timestamp() + $5 * interval '1 ms')
      ON CONFLICT (scope) DO UPDATE SET fingerprint = excluded.fingerprint, user_id = excluded.user_id, status = NULL,
        sealed = NULL, lease_until = excluded.lease_until, expires_at = excluded.expires_at
        WHERE a.expires_at <= clock_timestamp()
      RETURNING a.scope)
    SELECT true AS is_new, true AS is_same, false AS is_abandoned, NULL::smallint AS status, NULL::jsonb AS sealed
    FROM claimed
    UNION ALL
    SELECT false, a.fingerprint = $2, a.status IS NULL AND a.lease_until < clock_timestamp(), a.status, a.sealed
    FROM write_answers a WHERE a.scope = $1 AND NOT EXISTS (SELECT FROM claimed)`
  const values = [scope, fingerprint, userId, leaseMs, answerLifeMs]
  const { rows } = await pool.query<ClaimRow>({ name: 'claim-write', text, values })
  const [row] = rows
  if (row === undefined) return { kind: 'running' }
  if (row.is_new) return { kind: 'new' }
  if (!row.is_same) return { kind: 'mismatched' }
  if (row.status === null) return { kind: row.is_abandoned ? 'abandoned' : 'running' }
  const answer = row.sealed === null ? null : openAnswer(sealingKey, row.sealed, scope)
  return answer === null ? { kind: 'not_stored' } : { kind: 'answered', status: row.status, answer }
}

/** Null if no configured secret decrypts it any more. */
function openAnswer(sealingKey: SealingKey, sealed: JsonObject, scope: Buffer): WriteAnswer | null {
  let text: string
  try {
    text = unseal(sealingKey, parseSealed(sealed), nameOf(scope))
  } catch {
    return null
  }
  const answer = parseJsonObject(text) ?? {}
  const headers = isJsonObject(answer.headers) ? answer.headers : {}
  return {
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body: stringAt(answer, 'body') ?? null,
  }
}

const nameOf = (scope: Buffer): string => `write answer ${scope.toString('hex')}`

/** Deletes the requests whose keys have expired and returns how many. */
export async function purgeWriteAnswers(pool: Pool, atMost: number): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM write_answers WHERE scope IN (SELECT scope FROM write_answers
       WHERE expires_at < now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    [atMost],
  )
  return rowCount ?? 0
}

export async function eraseWriteAnswers(client: PoolClient, userId: Uuid): Promise<void> {
  await client.query('DELETE FROM write_answers WHERE user_id = $1', [userId])
}
