import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { QuotaVerdict, SessionQuotas } from '#ports/institutions.ts'
import { refuseWhenAway } from '../faults.ts'

export function createSessionQuotas(pool: Pool): SessionQuotas {
  return { takeRequest: (sessionId) => refuseWhenAway(takeSessionRequest(pool, sessionId)) }
}

/** One statement judges and counts: the row lock serializes parallel requests. */
async function takeSessionRequest(pool: Pool, sessionId: Uuid): Promise<QuotaVerdict> {
  const text = `WITH taken AS (
      UPDATE institution_sessions SET requests_used = requests_used + 1
      WHERE id = $1 AND (request_quota IS NULL OR requests_used < request_quota)
        AND (token_quota IS NULL OR tokens_used < token_quota)
      RETURNING id)
    SELECT EXISTS (SELECT 1 FROM taken) AS allowed,
      coalesce((SELECT tokens_used >= token_quota FROM institution_sessions WHERE id = $1), false) AS tokens_used_up`
  const { rows } = await pool.query<{ allowed: boolean; tokens_used_up: boolean }>({
    name: 'take-session-request',
    text,
    values: [sessionId],
  })
  const [row] = rows
  if (row?.allowed === true) return { allowed: true }
  return { allowed: false, quota: row?.tokens_used_up === true ? 'tokens' : 'requests' }
}
