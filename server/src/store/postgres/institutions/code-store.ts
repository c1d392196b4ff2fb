import type { Pool } from 'pg'
import { GatewayError } from '#errors/gateway-error.ts'
import { createTurnstile } from '#lib/turnstile.ts'
import type { BegunSession, CountedAttempt, CodeStore, NewSession } from '#ports/institutions.ts'
import { refuseWhenAway } from '../faults.ts'
import { admitsPerson } from '../organizations/institution-people.sql.ts'
import { inTransaction } from '../with-client.ts'
import {
  admitCodeAttempt,
  admitCodeRequest,
  countAttempt,
  findCodeKey,
  forgiveCodeAttempt,
  hasCode,
  putCode,
  takeCode,
} from './codes.sql.ts'
import { endOldestSessions, insertSession } from './sessions.sql.ts'

// Anyone can send these requests, so they share a few connections and never take all of them from signed-in users.
const line = { atOnceMax: 3, waitingMax: 300, refusal: overloaded }

export function createCodeStore(pool: Pool): CodeStore {
  const knocking = createTurnstile(line)
  return {
    admitRequest: (request) => knocking.run(() => refuseWhenAway(admitCodeRequest(pool, request))),
    admitAttempt: (request) => knocking.run(() => refuseWhenAway(admitCodeAttempt(pool, request))),
    forgiveAttempt: (attemptId) => knocking.run(() => refuseWhenAway(forgiveCodeAttempt(pool, attemptId))),
    findKey: (query) => refuseWhenAway(findCodeKey(pool, query)),
    putCode: (code) => refuseWhenAway(putCode(pool, code)),
    countAttempt: (subject) => knocking.run(() => refuseWhenAway(attempt(pool, subject))),
    beginSession: (session) => knocking.run(() => refuseWhenAway(beginSession(pool, session))),
  }
}

// Checks afterwards whether the attempts are used up: a code that another request has just used is gone, not used up.
async function attempt(pool: Pool, subject: Buffer): Promise<CountedAttempt> {
  const counted = await countAttempt(pool, subject)
  if (counted !== null) return { kind: 'counted', ...counted }
  return { kind: (await hasCode(pool, subject)) ? 'used_up' : 'none' }
}

// Two sessions of one person need two codes, and the second can be written only after the first is gone. So no other
// request counts this person's sessions at the same time.
function beginSession(pool: Pool, session: NewSession): Promise<BegunSession | null> {
  return inTransaction(pool, 'READ COMMITTED', async (client) => {
    const keyId = await takeCode(client, session)
    if (keyId === null || !(await admitsPerson(client, keyId, session.email))) return null
    const begun = await insertSession(client, keyId, session)
    if (begun === null) return null
    const { expiresAtMs, organization, maxSessionsPerEmail } = begun
    const { email } = session
    const endedTokenHashes = await endOldestSessions(client, { keyId, email, keep: maxSessionsPerEmail })
    return { expiresAtMs, organization, endedTokenHashes }
  })
}

function overloaded(): GatewayError {
  return new GatewayError('overloaded', { message: 'Too many requests at the moment. Retry shortly.', retryAfterS: 5 })
}
