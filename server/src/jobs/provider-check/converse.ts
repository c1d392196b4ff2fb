import type { ConversationDialect, DialectCall } from '#dialects/dialect.ts'
import { joinStreamParts } from '#domain/inference/join-stream-parts.ts'
import type { CanonicalReply } from '#domain/inference/reply.ts'
import { statedCost } from '#domain/money/stated-cost.ts'
import { inAskedTier } from '#domain/money/tier-prices.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { objectAt, parseJsonObject } from '#lib/json.ts'
import { type Exchange, type ExchangeScript, send } from '#providers/codecs/exchange-script.ts'
import { UnusableAnswerError } from '#providers/codecs/faults.ts'
import { bodyOf } from '#providers/codecs/media-request.ts'
import type { Protocol } from '#providers/protocol.ts'
import { protocolOf } from '#providers/protocols.ts'
import type { VendorSpec } from '#providers/spec.ts'
import { conversationRequest, targetOf } from '#pipeline/dispatch/prepare-request.ts'
import { vendorOf } from '#pipeline/dispatch/attempt/vendor-of.ts'
import type { Answered } from './answered.ts'

export interface Asked {
  readonly dialect: ConversationDialect
  readonly call: DialectCall
}

/** A response with its content, for probes that continue the conversation. */
interface Heard extends Answered {
  readonly reply: CanonicalReply
}

/** Sends the same request as a gateway would, in any protocol, and counts usage in the same way. */
export function* converse(candidate: Candidate, { dialect, call }: Asked): ExchangeScript<Heard> {
  const vendor = vendorOf(candidate)
  const asked = { dialect, call, body: call.body }
  const { ignored: _, ...request } = conversationRequest(asked, candidate, targetOf(candidate))
  const exchange = yield* send(request)
  const protocol = protocolOf(vendor)
  const bytes = bodyOf(exchange, protocol.readFailure)
  const { reply, costNano } = call.stream
    ? readStream(exchange, protocol, vendor)
    : readDocument(bytes, protocol, vendor)
  const usage = reply.usage === null ? null : inAskedTier(reply.usage, call.body, candidate)
  return { reply, usage, statedNano: usage?.upstreamNano ?? costNano }
}

interface Read {
  readonly reply: CanonicalReply
  /** The `cost` in the usage of providers that have no reader for it. */
  readonly costNano?: number | undefined
}

function readDocument(bytes: Buffer, protocol: Protocol, vendor: VendorSpec): Read {
  const read = protocol.readDocument(bytes, vendor)
  if (!read.ok) throw new UnusableAnswerError(read.failure.message)
  const { cost } = objectAt(parseJsonObject(bytes.toString('utf8')) ?? {}, 'usage')
  return { reply: read.reply, costNano: statedCost(cost) }
}

function readStream({ headers, body }: Exchange, protocol: Protocol, vendor: VendorSpec): Read {
  if (!protocol.isStream(String(headers['content-type'] ?? ''))) {
    throw new UnusableAnswerError('The upstream answered a streaming request with a document.')
  }
  const reader = protocol.createStreamReader(vendor)
  const parts = [...reader.push(body), ...reader.end()]
  const failed = parts.find((part) => part.kind === 'failed')
  if (failed !== undefined) throw new UnusableAnswerError(failed.message)
  return { reply: joinStreamParts(parts) }
}
