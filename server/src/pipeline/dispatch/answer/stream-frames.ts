import type { KeepAlive } from '#dialects/dialect.ts'
import { failImageEvents, imageHeartbeat } from '#dialects/images/image-events.ts'
import { purposeOf } from '#dialects/purpose-of.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import type { Ticket } from '../../types.ts'
import { readerContextOf, type ReaderLimits } from './reader-context.ts'

/** The keep-alive for a silent stream of this request, or null for none. */
export function keepAliveOf(ticket: Ticket): KeepAlive | null {
  return hasImageEvents(ticket) ? imageHeartbeat : ticket.arrival.dialect.keepAlive
}

type FailFrames = (ticket: Ticket, candidate: Candidate, error: GatewayError) => string | null

/**
 * The frames that end a stream before anything was written, or null if the client can only be told by a broken
 * connection.
 */
export function createFailFrames(limits: ReaderLimits): FailFrames {
  return (ticket, candidate, error) => {
    const { dialect } = ticket.arrival
    if (dialect.family === 'media') return dialect.failFrames(error)
    if (hasImageEvents(ticket)) return failImageEvents(error)
    return dialect.createWriter(readerContextOf(ticket, candidate, limits)).fail(error)
  }
}

/** Whether it is a conversation whose client reads the named image events. */
function hasImageEvents({ arrival, plan }: Ticket): boolean {
  const { dialect, wantsEvents } = arrival
  const [first] = plan.candidates
  if (dialect.family !== 'conversation' || !wantsEvents || !plan.call.stream || first === undefined) return false
  return purposeOf(plan.call, first.model, wantsEvents) === 'image'
}
