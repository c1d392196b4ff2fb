import { isBelievable, type TokenBounds } from '#domain/inference/is-believable.ts'
import { isBreaker } from '#domain/limits/scopes.ts'
import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { Money } from '#ports/money.ts'
import { searchesFor } from '../hold-for.ts'
import { outputTokensMaxOf } from '../output-tokens-max.ts'
import { toldCap } from '../told-cap.ts'
import type { Judged, Ticket } from '../types.ts'

/**
 * A charge that its hold covers. What is plausible but above the hold takes more hold first, as far as wallet and limits have room,
 * and the operator absorbs the rest; what is not plausible is charged up to the hold as it is. So the settle that follows charges
 * exactly what it asks for, also where it is only replayed later and its cost is shown before.
 */
export async function boundCharge(
  ticket: Ticket,
  judged: Judged,
  deps: { extend: Money['extend']; onError: (error: unknown) => void },
): Promise<Judged> {
  const usageDoubted = isDoubted(ticket, judged)
  const { cost } = judged.charge
  if (cost <= ticket.heldAmount) return usageDoubted ? { ...judged, usageDoubted } : judged
  // A figure that is not believed is not lost: it stays on the record.
  if (usageDoubted) return { ...withCost(judged, ticket.heldAmount), usageDoubted }
  const covered = await coveredCost(ticket, cost, deps)
  return { ...withCost(judged, covered), absorbed: nanoUsd(cost - covered) }
}

/** Breakers are not asked: they stop what is to come, and this has been spent. */
async function coveredCost(
  ticket: Ticket,
  cost: NanoUsd,
  deps: { extend: Money['extend']; onError: (error: unknown) => void },
): Promise<NanoUsd> {
  const windows = ticket.windows.filter(({ kind }) => !isBreaker(kind))
  try {
    const extended = await deps.extend({ id: ticket.arrival.generationId, total: cost, windows })
    // Its hold has lapsed: the settle finds out by itself what there is still room for.
    if (extended === null) return cost
    ticket.heldAmount = extended.total
  } catch (error) {
    // The store is away, and the settle will go to the spool: only what is held for certain can be charged then.
    deps.onError(error)
  }
  return cost < ticket.heldAmount ? cost : ticket.heldAmount
}

function withCost(judged: Judged, cost: NanoUsd): Judged {
  return { ...judged, charge: { ...judged.charge, cost } }
}

function isDoubted(ticket: Ticket, { outcome }: Judged): boolean {
  if (outcome.kind !== 'answered' || outcome.answer.usage === null) return false
  const bounds = tokenBoundsOf(ticket, outcome.candidate)
  return bounds !== null && !isBelievable(outcome.answer.usage, bounds)
}

/** Null where nothing is known that could bound it: media are counted otherwise, and some models state no context. */
export function tokenBoundsOf(ticket: Ticket, candidate: Candidate): TokenBounds | null {
  const { call } = ticket.plan
  const { contextLength } = candidate.model
  if (call.media !== undefined || contextLength === null) return null
  const outputTokensMax = toldCap(ticket, candidate) ?? outputTokensMaxOf(call, candidate)
  const { choiceCount } = call
  const { isTold, webSearches } = searchesFor(call, candidate)
  return {
    outputTokensMax: outputTokensMax * choiceCount,
    contextLength,
    choiceCount,
    searchesTold: isTold ? webSearches : null,
  }
}
