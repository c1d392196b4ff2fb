import type { ConversationDialect } from '#dialects/dialect.ts'
import type { JsonObject } from '#lib/json.ts'
import { completionsProtocol, hasCompletions } from '#providers/protocols/openai/completions/completions-protocol.ts'
import type { Protocol } from '#providers/protocol.ts'
import { protocolOf } from '#providers/protocols.ts'
import type { AnthropicVendor, OpenAiVendor, ResponsesVendor, VendorSpec } from '#providers/spec.ts'

/**
 * The client's dialect and the upstream's protocol. If both are the same, request and response are relayed: their bytes
 * pass with the edits that the contract names. Every other pair is translated through the canonical form of
 * `domain/inference`.
 */
export type Pair = Speakers &
  (
    | { readonly relays: 'chat'; readonly vendor: OpenAiVendor }
    | { readonly relays: 'messages'; readonly vendor: AnthropicVendor }
    | { readonly relays: 'responses'; readonly vendor: ResponsesVendor }
    | { readonly relays: null; readonly vendor: VendorSpec }
  )

/** The client's dialect and the upstream's protocol. */
export interface Speakers {
  readonly dialect: ConversationDialect
  readonly protocol: Protocol
  readonly vendor: VendorSpec
  /** The API that the client's request is translated to, where that changes what it can ask for. */
  readonly translated?: 'chat'
}

/** The only place that decides between relay and translation. */
export function pairOf(dialect: ConversationDialect, vendor: VendorSpec, upstreamModel = ''): Pair {
  if (dialect.name === 'completions' || dialect.name === 'fim') return completionsPair(dialect, vendor, upstreamModel)
  const protocol = protocolOf(vendor)
  if (dialect.name === 'chat' && vendor.protocol === 'openai') return { relays: 'chat', dialect, protocol, vendor }
  if (dialect.name === 'messages' && vendor.protocol === 'anthropic') {
    return { relays: 'messages', dialect, protocol, vendor }
  }
  if (dialect.name === 'responses' && vendor.protocol === 'responses') {
    return { relays: 'responses', dialect, protocol, vendor }
  }
  return { relays: null, dialect, protocol, vendor }
}

/** Answers are always read into canonical parts, so that both kinds of upstream look the same to the client. */
function completionsPair(dialect: ConversationDialect, vendor: VendorSpec, upstreamModel: string): Pair {
  return hasCompletions(vendor, upstreamModel)
    ? { relays: null, dialect, protocol: completionsProtocol, vendor }
    : { relays: null, dialect, protocol: protocolOf(vendor), vendor, translated: 'chat' }
}

/** The body of a relayed request, without the fields that this upstream cannot read. */
export function relayedBody(pair: Pair, body: JsonObject): JsonObject {
  const thoughts = pair.relays === 'responses' ? pair.vendor.responses.thoughts : 'anthropic'
  return pair.dialect.relayBody?.(body, thoughts) ?? body
}

/** The names of the client's tools that this upstream does not get. */
export function leftTools(pair: Pair, body: JsonObject): string[] {
  const { dialect } = pair
  if (pair.relays !== 'responses') return dialect.leftTools?.(body, 'functions') ?? []
  return dialect.leftTools?.(body, pair.vendor.responses.thoughts === 'openai' ? 'openai' : 'responses') ?? []
}
