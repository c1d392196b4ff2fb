import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import type { ConversationDialect } from '#dialects/dialect.ts'
import { messagesDialect } from '#dialects/messages/messages-dialect.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { signRequest } from '#net/sign-request.ts'
import { pairOf } from '#pipeline/dispatch/answer/pair.ts'
import type { ProtocolRequest, Target } from '#providers/protocol.ts'
import { findVendor, type VendorSlug } from '#providers/registry.ts'
import { relays } from '#providers/relay.ts'
import { upstreamKey } from '../twin.ts'
import { readReply } from './read-reply.ts'

export interface ChatAsked {
  readonly provider: VendorSlug
  /** What a client sends to us; `model` is the upstream's name. */
  readonly body: JsonObject & { readonly model: string }
  /** `chat` unless said otherwise. */
  readonly dialect?: 'chat' | 'messages'
  /** For providers whose address the operator gives. */
  readonly baseUrl?: string
  readonly credential?: string
  readonly openAiFamily?: boolean
}

/** A call as the gateway makes it: built by relay or protocol, sent, and read by the protocol's reader. */
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

/** The request alone. */
export async function buildChat(asked: ChatAsked) {
  const provider = findVendor(asked.provider)
  assert(provider !== undefined, `${asked.provider} is a provider`)
  const vendor = provider.hostOf?.(asked.body.model) ?? provider
  const { body, credential = upstreamKey } = asked
  const target: Target = {
    vendor,
    baseUrl: asked.baseUrl ?? null,
    credential,
    upstreamModel: body.model,
    model: body.model,
    openAiFamily: asked.openAiFamily ?? false,
  }
  const request = build(asked.dialect === 'messages' ? messagesDialect : chatDialect, body, target)
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
    return relays[pair.relays]({ ...call, body: dialect.relayBody?.(call.body) ?? call.body }, target)
  }
  const canonical = dialect.toCanonical(call)
  const stripped = target.openAiFamily ? undefined : dialect.withoutOpenAiFields?.(canonical)
  return pair.protocol.buildRequest(stripped?.call ?? canonical, target)
}
