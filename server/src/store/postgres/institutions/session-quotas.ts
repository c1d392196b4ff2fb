import type { Pool } from 'pg'
import type { SessionQuotas } from '#ports/session-quotas.ts'
import { refuseWhenAway } from '../account/refuse-when-away.ts'
import { takeSessionRequest } from './take-session-request.sql.ts'

export function createSessionQuotas(pool: Pool): SessionQuotas {
  return { takeRequest: (sessionId) => refuseWhenAway(takeSessionRequest(pool, sessionId)) }
}
