import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import type { DialectCall } from '#dialects/dialect.ts'
import { noUsage, type Usage } from '#domain/inference/usage.ts'
import { charactersIn } from '#domain/media/speech.ts'
import type { MediaTask, SpeechTask } from '#domain/media/media-task.ts'
import { statedCost } from '#domain/money/stated-cost.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { VideoTask } from '#domain/video/video-task.ts'
import { assert } from '#lib/assert.ts'
import { objectAt, parseJsonObject } from '#lib/json.ts'
import type { MediaCodecs, SpeechCodec } from '#providers/codecs/codec.ts'
import { type ExchangeScript, type Exchange, pause, send } from '#providers/codecs/exchange-script.ts'
import { UnusableAnswerError } from '#providers/codecs/faults.ts'
import { bodyOf } from '#providers/codecs/media-request.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'
import type { VideoCodec } from '#providers/codecs/video-codec.ts'
import type { Protocol } from '#providers/protocol.ts'
import { protocolOf } from '#providers/protocols.ts'
import type { VendorSpec } from '#providers/spec.ts'
import { conversationRequest, mediaTargetOf, targetOf } from '#pipeline/dispatch/prepare-request.ts'
import { vendorOf } from '#pipeline/dispatch/vendor-of.ts'

/** What came of a call that was accepted. */
export interface Answered {
  /** Null where the provider counted nothing. */
  readonly usage: Usage | null
  /** What the provider says that it cost, in nano-USD. */
  readonly statedNano?: number | undefined
}

/** Chat, whatever its upstream speaks, by the request that a gateway would send. */
export function* holdConversation(candidate: Candidate, call: DialectCall): ExchangeScript<Answered> {
  const vendor = vendorOf(candidate)
  const asked = { dialect: chatDialect, call, body: call.body }
  const { ignored: _, ...request } = conversationRequest(asked, candidate, targetOf(candidate, vendor))
  const exchange = yield* send(request)
  const protocol = protocolOf(vendor)
  const bytes = bodyOf(exchange, protocol.readFailure)
  return call.stream ? readStream(exchange, protocol, vendor) : readDocument(bytes, protocol, vendor)
}

function readDocument(bytes: Buffer, protocol: Protocol, vendor: VendorSpec): Answered {
  const read = protocol.readDocument(bytes, vendor)
  if (!read.ok) throw new UnusableAnswerError(read.failure.message)
  const { cost } = objectAt(parseJsonObject(bytes.toString('utf8')) ?? {}, 'usage')
  return { usage: read.reply.usage, statedNano: statedCost(cost) }
}

function readStream({ headers, body }: Exchange, protocol: Protocol, vendor: VendorSpec): Answered {
  if (!protocol.isStream(String(headers['content-type'] ?? ''))) {
    throw new UnusableAnswerError('The upstream answered with a document where a stream was asked for.')
  }
  const reader = protocol.createStreamReader(vendor)
  let usage: Usage | null = null
  for (const part of [...reader.push(body), ...reader.end()]) {
    if (part.kind === 'failed') throw new UnusableAnswerError(part.message)
    if (part.kind === 'usage-counted') usage = part.usage
  }
  return { usage }
}

/** Everything else, by the vendor's own codec. */
export function makeMedia(candidate: Candidate, task: MediaTask): ExchangeScript<Answered> {
  const vendor = vendorOf(candidate)
  return mediaScript(task, vendor.media ?? {}, mediaTargetOf(candidate, vendor))
}

function* mediaScript(task: MediaTask, media: MediaCodecs, target: MediaTarget): ExchangeScript<Answered> {
  switch (task.kind) {
    case 'embedding': {
      const { usage } = yield* able(media.embedding).converse(task, target)
      return { usage }
    }
    case 'transcription': {
      const { usage } = yield* able(media.transcription).converse(task, target)
      return { usage }
    }
    case 'image': {
      const { usage, images } = yield* able(media.image).converse(task, target)
      return { usage: usage === null ? null : { ...usage, media: { outputImages: images.length, ...usage.media } } }
    }
    case 'speech': {
      const codec = able(media.speech)
      const bytes = bodyOf(yield* send(codec.buildRequest(task, target)), codec.readFailure)
      return { usage: spokenUsage(task, codec, bytes) }
    }
    case 'video':
      return yield* film(task, able(media.video), target)
  }
}

function spokenUsage(task: SpeechTask, codec: SpeechCodec, bytes: Buffer): Usage | null {
  const { usage = noUsage } = codec.readDocument?.(bytes, task) ?? {}
  return usage === null ? null : { ...usage, media: { inputCharacters: charactersIn(task.input) } }
}

const pollsMax = 120
const rhythmMs = 8_000

function* film(task: VideoTask, codec: VideoCodec, target: MediaTarget): ExchangeScript<Answered> {
  const reference = yield* codec.submit(task, target, 'weir-provider-check')
  for (let polls = 0; polls < pollsMax; polls++) {
    yield* pause(codec.rhythmMs ?? rhythmMs)
    const progress = yield* codec.poll(reference, target, task)
    if (progress.kind === 'made') return { usage: progress.usage }
    if (progress.kind === 'failed') throw new UnusableAnswerError(progress.message)
  }
  throw new UnusableAnswerError('The video is not made yet. The provider may charge for it all the same.')
}

function able<Codec>(codec: Codec | undefined): Codec {
  assert(codec !== undefined, 'only hosts that can are asked')
  return codec
}
