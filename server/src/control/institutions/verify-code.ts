import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { clientNetwork } from '#domain/access/client-network.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { type JsonObject, stringAt } from '#lib/json.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { Announce } from '#ports/announce.ts'
import type { AuditTrail } from '#ports/audit.ts'
import type { CodeStore } from '#ports/institutions.ts'
import { type CodeDigests, type Entry, readEntry, refusedCodeEntry } from './read-entry.ts'

export interface VerifyCodeDeps {
  readonly codes: CodeStore
  readonly digests: CodeDigests
  readonly audit: AuditTrail
  readonly announce: Announce
  readonly afterwards: (work: () => Promise<void>) => void
}

interface EnteredSession {
  /** Returned only once. */
  readonly token: string
  readonly expiresAtMs: number
  readonly organization: { readonly id: Uuid; readonly name: string }
}

/**
 * Exchanges a code for a session. The attempt is counted before the code is checked, for the code, the network and the
 * key, so that parallel guesses get no more attempts than the rules allow. Exactly one request can use a correct code,
 * which then counts for neither network nor key: a thousand people may enter from one address.
 */
export async function verifyCode(
  deps: VerifyCodeDeps,
  request: { body: JsonObject; clientIp: string | null; requestId: string; nowMs: number },
): Promise<EnteredSession> {
  const entry = readEntry(deps.digests, request.body)
  const client = deps.digests.client(clientNetwork(request.clientIp))
  const admission = await deps.codes.admitAttempt({ client, keyHash: entry.keyHash })
  if (!admission.admitted) {
    const message = `Too many wrong codes. Retry in ${admission.waitS} seconds.`
    throw new GatewayError('codeRateLimited', { message, retryAfterS: admission.waitS })
  }
  const guess = deps.digests.code(entry.keyHash, entry.identity, stringAt(request.body, 'code')?.trim() ?? '')
  const attempt = await deps.codes.countAttempt(entry.subject)
  if (attempt.kind === 'none') throw invalid()
  if (attempt.kind === 'used_up') {
    throw new GatewayError('codeAttemptsUsed', { message: 'Too many attempts. Request a new code.' })
  }
  if (!timingSafeEqual(attempt.codeHmac, guess) || !attempt.isLive) {
    if (attempt.isLast) deps.afterwards(() => noteUsedUp(deps, entry, request.requestId))
    throw invalid()
  }
  const token = `edu-sess-${randomBytes(32).toString('base64url')}`
  const begun = await deps.codes.beginSession({
    id: newUuid(request.nowMs),
    subject: entry.subject,
    codeHmac: attempt.codeHmac,
    email: entry.identity,
    personId: deps.digests.person(entry.keyHash, entry.identity),
    domain: entry.address?.domain ?? '',
    tokenHash: hash('sha256', token),
  })
  if (begun === null) throw invalid()
  await deps.codes.forgiveAttempt(admission.attemptId)
  await Promise.all(begun.endedTokenHashes.map((keyHash) => deps.announce({ keyHash })))
  return { token, expiresAtMs: begun.expiresAtMs, organization: begun.organization }
}

async function noteUsedUp(deps: VerifyCodeDeps, entry: Entry, requestId: string): Promise<void> {
  const key = await deps.codes.findKey({ keyHash: entry.keyHash, address: entry.identity })
  if (key !== null) await deps.audit.append(refusedCodeEntry({ key, entry, requestId, reason: 'attempts_used_up' }))
}

// One response for a wrong code, an expired code, a code that was never sent and a key that does not exist.
function invalid(): GatewayError {
  return new GatewayError('codeInvalid', { message: 'This code is not valid.' })
}
