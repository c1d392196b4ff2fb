import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import { accountSecrets } from '#domain/routing/account-secrets.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import { publicText } from '#lib/public-text.ts'
import type { AuthorizeRequest, UpstreamRequest, Upstreams } from '#ports/upstream.ts'
import { isLate } from '#providers/authentication.ts'
import type { ProtocolRequest } from '#providers/protocol.ts'
import { protocolOf } from '#providers/protocols.ts'
import type { UpstreamRefusal } from '#providers/refusal.ts'
import type { ConfirmRefusal } from './attempt/learned-fields.ts'
import { conversationRequest, limitsOf, targetOf, type UpstreamTimeouts } from './prepare-request.ts'
import { vendorOf } from './attempt/vendor-of.ts'
import { ExchangeFailedError, wholeExchange } from './attempt/whole-exchange.ts'

interface ConfirmDeps {
  readonly upstreams: Upstreams
  readonly authorize: AuthorizeRequest
  readonly timeouts: UpstreamTimeouts
  readonly onError: (error: unknown) => void
}

const answerBytesMax = 1_048_576
// A greeting takes less than this, and only a few tests run at a time.
const timeoutMs = 30_000

/**
 * Sends the upstream two test requests, a greeting with the rejected field and one without. The operator pays for both.
 */
export function createConfirmRefusal(deps: ConfirmDeps): ConfirmRefusal {
  const isTaken = async (candidate: Candidate, request: ProtocolRequest): Promise<true | UpstreamRefusal> => {
    const { ignored: _, ...built } = { ...request, ...limitsOf(false, deps.timeouts) }
    const signal = AbortSignal.timeout(timeoutMs)
    const proven = await authorized(built, candidate, deps.authorize)
    const { status, headers, body } = await wholeExchange(deps.upstreams, proven, { bytesMax: answerBytesMax, signal })
    if (status >= 200 && status <= 299) return true
    return protocolOf(vendorOf(candidate)).readFailure(status, headers, body.toString('utf8'))
  }
  return async (candidate, field, leftOut) => {
    try {
      const requests = neutralRequests(candidate, field, leftOut)
      const refusal = await isTaken(candidate, requests.having)
      if (refusal === true) return { kind: 'taken' }
      if (refusal.refusedField?.name !== field) return { kind: 'unknown' }
      if ((await isTaken(candidate, requests.lacking)) !== true) return { kind: 'unknown' }
      return { kind: 'refused', words: publicText(refusal.inside, accountSecrets(candidate.account)) }
    } catch (error) {
      if (!isOrdinary(error)) deps.onError(error)
      return { kind: 'unknown' }
    }
  }
}

/** The upstream failed or timed out, or its protocol cannot express the test request. */
function isOrdinary(error: unknown): boolean {
  const isLate = error instanceof DOMException && error.name === 'TimeoutError'
  return isLate || error instanceof ExchangeFailedError || error instanceof GatewayError
}

/** Sixteen tokens, because some providers reject a lower cap. */
const greeting = { messages: [{ role: 'user', content: 'Say hi.' }], max_tokens: 16 }

/**
 * The same request with and without the field. The value is the gateway's translation of a reasoning option, or the
 * protocol's example.
 */
function neutralRequests(candidate: Candidate, field: string, leftOut: readonly string[]): Neutral {
  const vendor = vendorOf(candidate)
  const value = protocolOf(vendor).learnableFields[field]
  assert(value !== undefined, `${field} is a field that can be learned`)
  const build = (wish: JsonObject): { request: ProtocolRequest; body: JsonObject } => {
    const call = chatDialect.parse({ model: candidate.model.id, ...greeting, ...wish })
    const asked = { dialect: chatDialect, call, body: call.body }
    const request = conversationRequest(asked, candidate, targetOf(candidate))
    const body = parseJsonObject(request.body)
    assert(body !== undefined, 'a conversation is a JSON object')
    for (const refused of leftOut) delete body[refused]
    return { request, body }
  }
  const { request, body } = build({})
  const wished = build({ reasoning: { effort: 'low' } })
  const having = Object.hasOwn(wished.body, field) ? wished.body : { ...body, [field]: value }
  const { [field]: _, ...lacking } = body
  return {
    having: { ...request, body: JSON.stringify(having) },
    lacking: { ...request, body: JSON.stringify(lacking) },
  }
}

interface Neutral {
  readonly having: ProtocolRequest
  readonly lacking: ProtocolRequest
}

async function authorized(
  request: UpstreamRequest,
  candidate: Candidate,
  authorize: AuthorizeRequest,
): Promise<UpstreamRequest> {
  const { authentication } = vendorOf(candidate)
  const { credential } = candidate.account
  return isLate(authentication) && credential !== null ? authorize(request, credential, authentication) : request
}
