import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import type { ConversationDialect } from '#dialects/dialect.ts'
import { messagesDialect } from '#dialects/messages/messages-dialect.ts'
import { responsesDialect } from '#dialects/responses/responses-dialect.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { signRequest } from '#net/sign-request.ts'
import { pairOf, relayedBody } from '#pipeline/dispatch/answer/pair.ts'
import { hostOf } from '#providers/host-of.ts'
import type { ProtocolRequest, Target } from '#providers/protocol.ts'
import { findVendor, type VendorSlug } from '#providers/registry.ts'
import { relays } from '#providers/relay.ts'
import { upstreamKey } from '../twin.ts'
import { readReply } from './read-reply.ts'

export interface ChatAsked {
  readonly provider: VendorSlug
  /** The client's body to us; `model` is the upstream's name. */
  readonly body: JsonObject & { readonly model: string }
  /** `chat` by default. */
  readonly dialect?: 'chat' | 'messages' | 'responses'
  /** The API to use, if not the provider's default. */
  readonly api?: 'responses'
  /** For providers whose base URL the operator configures. */
  readonly baseUrl?: string
  readonly credential?: string
  readonly openAiFamily?: boolean
}

const dialects = { chat: chatDialect, messages: messagesDialect, responses: responsesDialect } as const

/** A call like the gateway's: built by relay or protocol, sent, and read by the protocol's reader. */
export async function askChat(asked: ChatAsked): Promise<JsonValue> {
  const { vendor, request } = await buildChat(asked)
  const response = await fetch(request.origin + request.path, {
    method: 'POST',
    headers: { ...request.headers },
    body: request.body,
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  return readReply({ vendor, status: response.status, headers: Object.fromEntries(response.headers), bytes })
}

/** Only the request. */
export async function buildChat(asked: ChatAsked) {
  const provider = findVendor(asked.provider)
  assert(provider !== undefined, `${asked.provider} is a provider`)
  const vendor = hostOf(provider, { upstreamModel: asked.body.model, api: asked.api })
  const { body, credential = upstreamKey } = asked
  const target: Target = {
    vendor,
    baseUrl: asked.baseUrl ?? null,
    credential,
    upstreamModel: body.model,
    model: body.model,
    openAiFamily: asked.openAiFamily ?? false,
  }
  const request = build(dialects[asked.dialect ?? 'chat'], body, target)
  if (vendor.authentication.kind !== 'sigv4') return { vendor, request }
  const signing = { service: vendor.authentication.service, region: 'us-east-1', nowMs: Date.now() }
  const limits = { connectTimeoutMs: 5_000, headersTimeoutMs: 5_000, bodyTimeoutMs: 5_000 }
  const signed = await signRequest({ ...request, ...limits }, credential, signing)
  return { vendor, request: { ...request, headers: signed.headers } }
}

function build(dialect: ConversationDialect, body: JsonObject, target: Target): ProtocolRequest {
  const call = dialect.parse(body)
  const pair = pairOf(dialect, target.vendor)
  if (pair.relays !== null) {
    return relays[pair.relays]({ ...call, body: relayedBody(pair, call.body) }, target)
  }
  const canonical = dialect.toCanonical(call)
  const stripped = target.openAiFamily ? undefined : dialect.withoutOpenAiFields?.(canonical)
  return pair.protocol.buildRequest(stripped?.call ?? canonical, target)
}
