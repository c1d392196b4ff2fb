import type { TokenBounds } from '#domain/inference/is-believable.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { toldCap } from '../told-cap.ts'
import { outputTokensMaxOf } from '../output-tokens-max.ts'
import type { Ticket } from '../types.ts'

/** Null where nothing is known that could bound it: media are counted otherwise, and some models state no context. */
export function tokenBoundsOf(ticket: Ticket, candidate: Candidate): TokenBounds | null {
  const { call } = ticket.plan
  const { contextLength } = candidate.model
  if (call.media !== undefined || contextLength === null) return null
  const outputTokensMax = toldCap(ticket, candidate) ?? outputTokensMaxOf(call, candidate)
  const { choiceCount } = call
  return { outputTokensMax: outputTokensMax * choiceCount, contextLength, choiceCount }
}
