import { callFor } from '#dialects/choose-trim.ts'
import type { DialectCall } from '#dialects/dialect.ts'
import { isOpenAiFamily } from '#domain/catalogue/model.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { UpstreamRequest } from '#ports/upstream.ts'
import type { ProtocolRequest, Target } from '#providers/protocol.ts'
import { protocolOf } from '#providers/protocols.ts'
import { relayOf } from '#providers/relay-of.ts'
import type { VendorSpec } from '#providers/spec.ts'
import type { Ticket } from '../types.ts'
import type { PreparedRequest } from './dispatch-deps.ts'

export interface UpstreamTimeouts {
  connectTimeoutMs: number
  /** Until the first byte of a stream. */
  firstByteTimeoutMs: number
  /** Until the head of a document, which is only sent when the whole answer is made. */
  answerTimeoutMs: number
  /** Between two pieces of an answer. */
  idleTimeoutMs: number
}

export interface PrepareNeeds {
  vendorOf: (candidate: Candidate) => VendorSpec
  timeouts: UpstreamTimeouts
  /** Signs a request whose vendor wants that. */
  sign: (request: UpstreamRequest, credential: string | null, vendor: VendorSpec) => Promise<UpstreamRequest>
}

/** The call in the upstream's own words: as it came where both speak the same, through the canonical form otherwise. */
export function prepareRequest(
  ticket: Ticket,
  candidate: Candidate,
  needs: PrepareNeeds,
): PreparedRequest | Promise<PreparedRequest> {
  const { model } = candidate
  const call = callFor(ticket.plan.call, ticket.arrival.dialect, model.id)
  const vendor = needs.vendorOf(candidate)
  const target: Target = {
    vendor,
    baseUrl: candidate.account.baseUrl,
    credential: candidate.account.credential,
    upstreamModel: candidate.upstreamModel,
    model: model.id,
    openAiFamily: isOpenAiFamily(model),
  }
  const { ignored, ...built } = isPlayed(candidate)
    ? played(ticket, call, candidate, target)
    : build(ticket, call, target)
  const pool = candidate.billing === 'own_key' ? { pool: candidate.account.id } : {}
  const request = { ...built, ...pool, ...limitsOf(call.stream, needs.timeouts) }
  if (vendor.authentication.kind !== 'sigv4') return { request, ignored }
  return needs.sign(request, target.credential, vendor).then((signed) => ({ request: signed, ignored }))
}

function build(ticket: Ticket, call: DialectCall, target: Target): ProtocolRequest {
  const { dialect } = ticket.arrival
  const relay = relayOf(dialect.name, target.vendor)
  if (relay !== null) return relay({ ...call, body: dialect.relayBody?.(call.body) ?? call.body }, target)
  const canonical = dialect.toCanonical(call)
  const stripped = target.openAiFamily ? undefined : dialect.withoutOpenAiFields?.(canonical)
  const built = protocolOf(target.vendor).buildRequest(stripped?.call ?? canonical, target)
  return stripped === undefined ? built : { ...built, ignored: [...stripped.dropped, ...built.ignored] }
}

function isPlayed(candidate: Candidate): boolean {
  return candidate.account.vendor === 'test'
}

/** Test models are played inside the process; they take chat completions, whatever their caller speaks. */
function played(ticket: Ticket, call: DialectCall, candidate: Candidate, target: Target): ProtocolRequest {
  const { dialect } = ticket.arrival
  const body =
    dialect.name === 'chat'
      ? JSON.stringify(call.body)
      : protocolOf(target.vendor).buildRequest(dialect.toCanonical(call), target).body
  return { origin: playedOrigin, path: candidate.model.id, headers: {}, body, ignored: [] }
}

const playedOrigin = 'played://test'

function limitsOf(stream: boolean, timeouts: UpstreamTimeouts) {
  return {
    connectTimeoutMs: timeouts.connectTimeoutMs,
    headersTimeoutMs: stream ? timeouts.firstByteTimeoutMs : timeouts.answerTimeoutMs,
    bodyTimeoutMs: timeouts.idleTimeoutMs,
  }
}
