import { callFor } from '#dialects/choose-trim.ts'
import type { ConversationDialect, DialectCall } from '#dialects/dialect.ts'
import { outboundAccount } from '#domain/access/outbound-account.ts'
import { isOpenAiFamily } from '#domain/catalogue/model.ts'
import { type PriceList, pricesSearches } from '#domain/money/price-list.ts'
import { pricesTier } from '#domain/money/tier-prices.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { overridesFor, type TraitOverrides } from '#domain/routing/trait-overrides.ts'
import { playedOrigin } from '#domain/test-models/played-origin.ts'
import type { Propagate } from '#domain/tracing/propagate.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject } from '#lib/json.ts'
import { oncePer } from '#lib/once-per.ts'
import type { AuthorizeRequest, UpstreamRequest } from '#ports/upstream.ts'
import { isLate } from '#providers/authentication.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'
import type { PricedFeatures } from '#providers/features/feature-table.ts'
import type { ProtocolRequest, Target } from '#providers/protocol.ts'
import { relays } from '#providers/relay.ts'
import type { VendorSpec } from '#providers/spec.ts'
import { overrideFields } from '#providers/traits/field-overrides.ts'
import type { Ticket } from '../types.ts'
import { toldCap } from '../told-cap.ts'
import { leftTools, type Pair, pairOf, relayedBody } from './answer/pair.ts'
import type { PreparedRequest } from './begin-exchange.ts'
import type { RefusedFields } from './attempt/refused-fields.ts'
import { isPlayed, vendorOf } from './attempt/vendor-of.ts'

export interface UpstreamTimeouts {
  connectTimeoutMs: number
  /** Until the first byte of a stream. */
  firstByteTimeoutMs: number
  /** Until the head of a document, which is sent only when the whole response is complete. */
  answerTimeoutMs: number
  /** Between two chunks of a response. */
  idleTimeoutMs: number
}

interface PrepareDeps {
  timeouts: UpstreamTimeouts
  authorize: AuthorizeRequest
  propagate: Propagate
  refusedFields: Pick<RefusedFields, 'leaveOut'>
}

/**
 * The call in the upstream's protocol: unchanged if the client uses the same protocol, otherwise through the canonical
 * form.
 */
export function prepareRequest(
  ticket: Ticket,
  candidate: Candidate,
  deps: PrepareDeps,
): PreparedRequest | Promise<PreparedRequest> {
  const target = targetOf(candidate)
  const { ignored, ...built } = deps.refusedFields.leaveOut(ticket, candidate, buildFor(ticket, candidate, target))
  const limits = limitsOf(ticket.plan.call.stream, deps.timeouts)
  // The trace context is added before signing, because a signed request must not change.
  const request = deps.propagate(ticket.arrival.trace, { ...built, ...poolOf(ticket, candidate), ...limits })
  const { authentication } = target.vendor
  const { credential } = candidate.account
  if (!isLate(authentication) || credential === null) return { request, ignored }
  return deps.authorize(request, credential, authentication).then((proven) => ({ request: proven, ignored }))
}

export const targetOf = oncePer((candidate: Candidate): Target => {
  const vendor = vendorOf(candidate)
  const { account, upstreamModel, model, billing, price } = candidate
  return {
    vendor,
    baseUrl: account.baseUrl,
    credential: isLate(vendor.authentication) ? null : account.credential,
    upstreamModel,
    model: model.id,
    openAiFamily: isOpenAiFamily(model),
    ...(billing === 'own_key' ? {} : { prices: pricedFeatures(price) }),
    overrides: overridesOf(candidate),
  }
})

function pricedFeatures(price: PriceList): PricedFeatures {
  return { priority: pricesTier(price, 'priority'), webSearch: pricesSearches(price) }
}

export function mediaTargetOf(candidate: Candidate, vendor: VendorSpec): MediaTarget {
  const { account, upstreamModel, model } = candidate
  const baseUrl = account.baseUrl ?? vendor.baseUrl
  assert(baseUrl !== null, `${vendor.slug} has no default base URL; set one on the provider account`)
  const { authentication, mediaPath = '' } = vendor
  const credential = isLate(authentication) ? null : account.credential
  const overrides = overridesOf(candidate)
  return {
    baseUrl: baseUrl + mediaPath,
    authentication,
    credential,
    upstreamModel,
    model: model.id,
    details: model.details,
    leaveOut: overrides?.leaveOut,
    forms: overrides,
  }
}

function overridesOf({ account, upstreamModel, model }: Candidate): TraitOverrides | undefined {
  return overridesFor(account.overrides, [upstreamModel, model.id])
}

/** An organization's own key has its own connections, to a host that the organization chose. */
export function poolOf({ principal }: Ticket, candidate: Candidate): Pick<UpstreamRequest, 'pool' | 'account'> {
  if (candidate.billing !== 'own_key') return {}
  return { pool: candidate.account.id, account: outboundAccount(principal) }
}

type BuiltRequest = Pick<UpstreamRequest, 'method' | 'origin' | 'path' | 'headers' | 'body'> &
  Pick<PreparedRequest, 'ignored'>

function buildFor(ticket: Ticket, candidate: Candidate, target: Target): BuiltRequest {
  const { arrival, plan } = ticket
  const { dialect } = arrival
  if (plan.call.media?.task.kind === 'speech') {
    const codec = target.vendor.media?.speech
    assert(codec !== undefined, 'a host that is asked for speech can speak')
    const { task } = plan.call.media
    const mediaTarget = mediaTargetOf(candidate, target.vendor)
    return { ...codec.buildRequest(task, mediaTarget), ignored: codec.ignored?.(task, mediaTarget) ?? [] }
  }
  assert(dialect.family === 'conversation', 'whatever else is one exchange is a conversation')
  const trimmed = callFor(plan.call, dialect, candidate.model.id)
  const call = { ...trimmed, maxTokens: plan.call.maxTokens ?? toldCap(ticket, candidate) }
  return conversationRequest({ dialect, call, body: arrival.body }, candidate, target)
}

/** A call as sent to one candidate. `body` is the client's own body. */
export function conversationRequest(
  { dialect, call, body }: { dialect: ConversationDialect; call: DialectCall; body: JsonObject },
  candidate: Candidate,
  target: Target,
): ProtocolRequest {
  const pair = pairOf(dialect, target.vendor, target.upstreamModel)
  if (pair.translated !== undefined) dialect.refuseTranslated?.(call)
  return isPlayed(candidate)
    ? played(pair, call, candidate, target)
    : overridden(build(pair, call, target), target, body)
}

function overridden(request: ProtocolRequest, { overrides }: Target, asked: JsonObject): ProtocolRequest {
  return overrides === undefined ? request : overrideFields(request, overrides, asked)
}

function build(pair: Pair, call: DialectCall, target: Target): ProtocolRequest {
  const built = buildPlain(pair, call, target)
  const left = leftTools(pair, call.body)
  return left.length === 0 ? built : { ...built, ignored: [...left, ...built.ignored] }
}

function buildPlain(pair: Pair, call: DialectCall, target: Target): ProtocolRequest {
  const { dialect, protocol } = pair
  if (pair.relays !== null) {
    return relays[pair.relays]({ ...call, body: relayedBody(pair, call.body) }, target)
  }
  const canonical = dialect.toCanonical(call)
  const stripped = target.openAiFamily ? undefined : dialect.withoutOpenAiFields?.(canonical)
  const built = protocol.buildRequest(stripped?.call ?? canonical, target)
  return stripped === undefined ? built : { ...built, ignored: [...stripped.dropped, ...built.ignored] }
}

/** This process simulates the test models. They take chat completions, whatever the client's dialect. */
function played(pair: Pair, call: DialectCall, candidate: Candidate, target: Target): ProtocolRequest {
  const { dialect, protocol, relays: relayed } = pair
  const body =
    relayed === null ? protocol.buildRequest(dialect.toCanonical(call), target).body : JSON.stringify(call.body)
  return { origin: playedOrigin, path: candidate.model.id, headers: {}, body, ignored: [] }
}

export function limitsOf(stream: boolean, timeouts: UpstreamTimeouts) {
  return {
    connectTimeoutMs: timeouts.connectTimeoutMs,
    headersTimeoutMs: stream ? timeouts.firstByteTimeoutMs : timeouts.answerTimeoutMs,
    bodyTimeoutMs: timeouts.idleTimeoutMs,
  }
}
