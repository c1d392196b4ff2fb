import type { Pool } from 'pg'
import type { ClaimedJob } from '#ports/video-jobs.ts'
import { arrayLiteral } from '../array-literal.ts'

// A step may have been written since its worker chose what to renew: its next one is not brought forward.
const text = `UPDATE video_jobs j SET due_at = greatest(j.due_at, clock_timestamp() + $3 * interval '1 millisecond')
  FROM unnest($1::uuid[], $2::bigint[]) AS u (id, claim)
  WHERE j.id = u.id AND j.claim = u.claim AND j.state NOT IN ('completed', 'failed')`

export async function renewClaims(pool: Pool, claims: readonly ClaimedJob[], claimMs: number): Promise<void> {
  const ids = arrayLiteral(claims.map(({ id }) => id))
  const numbers = arrayLiteral(claims.map(({ claim }) => claim))
  await pool.query({ name: 'renew-video-claims', text, values: [ids, numbers, claimMs] })
}
