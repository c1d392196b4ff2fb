import type { Principal } from '#domain/access/principal.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { AnswerClaim, Answers, WritableAnswer } from '#ports/answers.ts'
import type { Arrival, Plan, Reply } from '../types.ts'
import { fingerprintOf, scopeOf } from './fingerprint.ts'
import { follow, type FollowDeps } from './follow.ts'

interface ClaimInput {
  readonly arrival: Arrival
  /** As it arrived, before references and customers were replaced. */
  readonly sent: Arrival
  readonly principal: Principal
  readonly plan: Plan
  readonly replyHeaders: Readonly<Record<string, string>>
}

export type Claim =
  | { readonly kind: 'claimed'; readonly arrival: Arrival }
  | { readonly kind: 'replied'; readonly reply: Reply }

/** Called only for requests with an idempotency key. */
export type ClaimStage = (input: ClaimInput) => Promise<Claim>

interface ClaimDeps extends FollowDeps {
  readonly answers: Answers
  /** Records what the request sends from now on. */
  readonly record: (arrival: Arrival, answer: WritableAnswer) => Arrival
  /** Settles the generation of a dead gateway as refunded, unless it is settled already. */
  readonly refund: (input: ClaimInput, id: Uuid) => Promise<void>
  readonly count: (outcome: 'joined' | 'taken_over' | 'mismatched') => void
}

/**
 * Runs a request with a new idempotency key, and replays the answer to a request with a known key. If the first gateway
 * died, its generation is settled as refunded before the request runs again. The ledger settles a generation once, so
 * the first settle decides, and nothing is charged twice.
 */
export function createClaim(deps: ClaimDeps): ClaimStage {
  return async (input) => {
    const { arrival, sent, principal } = input
    assert(arrival.idempotencyKey !== undefined, 'only requests with an idempotency key claim one')
    const request: AnswerClaim = {
      id: arrival.generationId,
      walletId: principal.walletId,
      userId: principal.userId,
      scope: scopeOf(principal, arrival.idempotencyKey),
      fingerprint: await fingerprintOf(sent),
    }
    while (!arrival.connection.gone) {
      const claimed = await deps.answers.claim(request)
      if (claimed.kind === 'new') return { kind: 'claimed', arrival: deps.record(arrival, claimed.answer) }
      if (!claimed.isSameRequest) throw mismatch(deps)
      const reply = await follow(deps, claimed.id, { ...input, isStream: input.plan.call.stream })
      if (reply !== null) {
        deps.count('joined')
        return { kind: 'replied', reply }
      }
      const answer = await inherit(deps, claimed.id, request, input)
      if (answer !== null) return { kind: 'claimed', arrival: deps.record(arrival, answer) }
      await deps.wait(againMs)
    }
    return { kind: 'replied', reply: { kind: 'handled' } }
  }
}

// Until another gateway has taken the request over, or the store is back.
const againMs = 50

/** Takes the request over if its gateway has died. Null if it has failed, or another gateway was faster. */
async function inherit(
  deps: ClaimDeps,
  from: Uuid,
  request: AnswerClaim,
  input: ClaimInput,
): Promise<WritableAnswer | null> {
  const progress = await deps.answers.find(from)
  if (progress?.isAbandoned !== true) return null
  // A stored job outlives its gateway: a worker finishes it.
  if (input.plan.call.media !== undefined && (await deps.answers.concludeJob(from))) return null
  await deps.refund(input, from)
  const answer = await deps.answers.takeOver(from, request)
  if (answer !== null) deps.count('taken_over')
  return answer
}

function mismatch(deps: ClaimDeps): GatewayError {
  deps.count('mismatched')
  return new GatewayError('idempotencyKeyReused', {
    message: 'This Idempotency-Key was used for another request. Send a new key for each new request.',
  })
}
