import type { ReplyContext } from '#dialects/dialect.ts'
import { purposeOf } from '#dialects/purpose-of.ts'
import { canCharge } from '#domain/catalogue/can-charge.ts'
import type { Usage } from '#domain/inference/usage.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { chargeFor } from '#domain/money/charge.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { PricedKind } from '#domain/money/price-list.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { objectAt } from '#lib/json.ts'
import type { NoteUnknown } from '#providers/note-unknown.ts'
import type { Ticket } from '../../types.ts'

/** Size limits of a response. */
export interface ReaderLimits {
  readonly frameBytesMax: number
  readonly answerBytesMax: number
}

/** The values that a reader writes into every response, and its limits. */
export interface ReaderContext extends ReplyContext, ReaderLimits {
  /** Receives the unknown words in the upstream's answer. */
  readonly note?: NoteUnknown
}

export function readerContextOf(ticket: Ticket, candidate: Candidate, limits: ReaderLimits): ReaderContext {
  const { frameBytesMax, answerBytesMax } = limits
  return { ...replyContextOf(ticket, candidate), frameBytesMax, answerBytesMax }
}

export function replyContextOf(ticket: Ticket, candidate: Candidate): ReplyContext {
  const { arrival, plan } = ticket
  const { call } = plan
  return {
    id: publicGenerationId(arrival.generationId),
    createdS: Math.floor(arrival.receivedAtMs / 1_000),
    model: candidate.model.id,
    requestBody: call.body,
    excludeReasoning: objectAt(call.body, 'reasoning').exclude === true,
    ...(arrival.storage === undefined ? {} : { storage: arrival.storage }),
    ...(candidate.billing === 'own_key'
      ? { upstreamCostOf: upstreamCostOf(candidate, purposeOf(call, candidate.model, arrival.wantsEvents)) }
      : {}),
  }
}

/** The amount that the provider bills the organization itself, by our price list. Null if the list has no price. */
function upstreamCostOf({ model, price }: Candidate, purpose: PricedKind): (usage: Usage) => NanoUsd | null {
  return (usage) => (canCharge(model, price, purpose) ? chargeFor(usage, price).cost : null)
}
