import type { TokenBounds } from '#domain/inference/is-believable.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { searchesFor } from '../hold-for.ts'
import { outputTokensMaxOf } from '../output-tokens-max.ts'
import { toldCap } from '../told-cap.ts'
import type { Ticket } from '../types.ts'

/** Null if no bound is known: media have other units, and some models state no context. */
export function tokenBoundsOf(ticket: Ticket, candidate: Candidate): TokenBounds | null {
  const { call } = ticket.plan
  const { contextLength } = candidate.model
  if (contextLength === null) return null
  const task = call.media?.task
  if (task?.kind === 'realtime') {
    const { outputTokensMax } = task
    return outputTokensMax === null ? null : { outputTokensMax, contextLength, choiceCount: 1, searchesTold: 0 }
  }
  if (task !== undefined) return null
  const outputTokensMax = toldCap(ticket, candidate) ?? outputTokensMaxOf(call, candidate)
  const { choiceCount } = call
  const { isTold, webSearches, turns } = searchesFor(call, candidate)
  return {
    outputTokensMax: outputTokensMax * choiceCount,
    contextLength,
    choiceCount,
    ...(turns === undefined ? {} : { turns }),
    searchesTold: isTold ? webSearches : null,
  }
}
