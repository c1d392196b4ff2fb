import { isBreaker } from '#domain/limits/scopes.ts'
import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import type { Eventually } from '#lib/eventually.ts'
import type { Money } from '#ports/money.ts'
import type { Judged, Plan, Ticket } from '../types.ts'
import { type DoubtedUsage, findDoubt } from './doubted-usage.ts'

/**
 * A charge that its hold covers. If the cost is plausible but above the hold, the hold is raised first, as far as the
 * wallet and limits have room, and the operator absorbs the rest. For an impossible report, it charges the delivered
 * output the same way. So the settle that follows charges exactly this amount, even if a worker replays it after the
 * client has seen the cost.
 */
export function boundCharge(
  ticket: Ticket,
  judged: Judged,
  deps: { extend: Money['extend']; onError: (error: unknown) => void },
): Eventually<Judged> {
  const doubt = findDoubt(ticket, judged)
  const { cost } = judged.charge
  if (cost <= ticket.heldAmount) return doubt === null ? judged : { ...judged, usageDoubted: true }
  const believed = allowedBy(ticket.plan, doubt === null ? cost : costBelieved(cost, doubt, ticket))
  const borne = doubt === null ? cost : smaller(cost, doubt.possible)
  return coveredCost(ticket, believed, deps).then((charged) => ({
    ...judged,
    // The doubted figure stays in the record.
    charge: { ...judged.charge, cost: charged },
    absorbed: nanoUsd(judged.absorbed + larger(borne - charged, 0n)),
    usageDoubted: doubt !== null,
  }))
}

/**
 * The upstream may have ignored the cap that sized the hold: the charge is the whole hold and the output delivered
 * beyond it.
 */
function costBelieved(cost: NanoUsd, { delivered }: DoubtedUsage, { heldAmount }: Ticket): NanoUsd {
  return smaller(cost, nanoUsd(larger(delivered, heldAmount)))
}

/** A client is never charged more than it allows, whatever an upstream reports. */
function allowedBy({ maxCost }: Plan, cost: NanoUsd): NanoUsd {
  return maxCost === undefined ? cost : smaller(cost, maxCost)
}

/** Breakers are not checked: they stop future spending, and this cost is already incurred. */
async function coveredCost(
  ticket: Ticket,
  cost: NanoUsd,
  deps: { extend: Money['extend']; onError: (error: unknown) => void },
): Promise<NanoUsd> {
  if (cost <= ticket.heldAmount) return cost
  const windows = ticket.windows.filter(({ kind }) => !isBreaker(kind))
  try {
    const extended = await deps.extend({ id: ticket.arrival.generationId, total: cost, windows })
    // The hold has lapsed: the settle itself determines how much can be charged.
    if (extended === null) return cost
    ticket.heldAmount = extended.total
  } catch (error) {
    // The store is unavailable, and the settle will go to the spool: then only the held amount can be charged.
    deps.onError(error)
  }
  return smaller(cost, ticket.heldAmount)
}

function smaller(one: NanoUsd, other: NanoUsd): NanoUsd {
  return one < other ? one : other
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}
