import type { Candidate } from '#domain/routing/candidates.ts'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import { protocolOf } from '#providers/protocols.ts'
import type { RefusedField } from '#providers/refused-field.ts'
import type { UpstreamRefusal } from '#providers/refusal.ts'
import type { Ticket } from '../../types.ts'
import type { LearnedFields } from './learned-fields.ts'
import { vendorOf } from './vendor-of.ts'

/**
 * Fields that an upstream rejects although no client sent them: the gateway added or translated them. The rejected
 * request is retried without the field. Other requests omit it only after a test request confirmed the rejection,
 * because a client can make an upstream say almost anything.
 */
export interface RefusedFields {
  /**
   * The gateway-added field that a rejection names, which the next attempt of this request omits; undefined if there is
   * none.
   */
  note(ticket: Ticket, candidate: Candidate, refused: Refused): string | undefined
  /**
   * The request without the fields that its upstream rejects, and the names of these fields. The client's own fields
   * stay.
   */
  leaveOut<Request extends LeavingRequest>(ticket: Ticket, candidate: Candidate, request: Request): Request
}

interface Refused {
  readonly refusal: UpstreamRefusal
  /** The rejected body; undefined if it was not JSON text. */
  readonly body: string | undefined
}

interface LeavingRequest {
  readonly body: unknown
  readonly ignored: readonly string[]
}

export function createRefusedFields(learned: LearnedFields): RefusedFields {
  const noted = new WeakMap<Ticket, Map<Candidate, Set<string>>>()
  return {
    note: (ticket, candidate, { refusal, body }) => {
      const field = refusal.refusedField
      if (field === undefined) return undefined
      // The upstream names a field that was already omitted: another retry does not help.
      if (noted.get(ticket)?.get(candidate)?.has(field.name) === true) return field.name
      if (!isOurs(field, candidate, { body, sent: ticket.arrival.body })) return undefined
      const byCandidate = noted.get(ticket) ?? new Map<Candidate, Set<string>>()
      const fields = byCandidate.get(candidate) ?? new Set<string>()
      noted.set(ticket, byCandidate.set(candidate, fields.add(field.name)))
      if (!mayBeEcho(field, ticket.arrival.body)) learned.suggest(candidate, field.name)
      return field.name
    },
    leaveOut: (ticket, candidate, request) => {
      const own = noted.get(ticket)?.get(candidate)
      const known = learned.refusedBy(candidate)
      if (own === undefined && known.length === 0) return request
      return withoutFields(request, new Set([...known, ...(own ?? [])]), ticket.arrival.body)
    },
  }
}

/** Whether the field is optional and the gateway, not the client, sent it. */
function isOurs(
  { name }: RefusedField,
  candidate: Candidate,
  { body, sent }: { body: string | undefined; sent: JsonObject },
): boolean {
  const vendor = vendorOf(candidate)
  if (vendor.protocol === 'none' || !Object.hasOwn(protocolOf(vendor).learnableFields, name)) return false
  return !Object.hasOwn(sent, name) && Object.hasOwn(parseJsonObject(body ?? '') ?? {}, name)
}

/** A sentence may quote the client if the client's request contains the name anywhere. */
function mayBeEcho({ name, source }: RefusedField, sent: JsonObject): boolean {
  return source === 'sentence' && new RegExp(`(?<!\\w)${name}(?!\\w)`).test(JSON.stringify(sent))
}

function withoutFields<Request extends LeavingRequest>(
  request: Request,
  fields: ReadonlySet<string>,
  sent: JsonObject,
): Request {
  const body = typeof request.body === 'string' ? parseJsonObject(request.body) : undefined
  const left = [...fields].filter(
    (field) => body !== undefined && Object.hasOwn(body, field) && !Object.hasOwn(sent, field),
  )
  if (body === undefined || left.length === 0) return request
  for (const field of left) delete body[field]
  return { ...request, body: JSON.stringify(body), ignored: [...new Set([...request.ignored, ...left])] }
}
