import type { Charged, ConversationDialect, HostedImages, MediaContext, RenderedResult } from '#dialects/dialect.ts'
import { closeImageEvents, writeImageEvents } from '#dialects/images/image-events.ts'
import { outboundAccount } from '#domain/access/outbound-account.ts'
import type { CanonicalReply } from '#domain/inference/reply.ts'
import { splitReply } from '#domain/inference/split-reply.ts'
import type { Usage } from '#domain/inference/usage.ts'
import { madeVariant } from '#domain/media/made-variant.ts'
import type { ImageResult, MediaResult } from '#domain/media/media-result.ts'
import type { ImageSize, MediaTask } from '#domain/media/media-task.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { ImagePublisher } from '#ports/media.ts'
import type { Answer, Ticket } from '../../types.ts'
import { chargedFor } from './charged-for.ts'
import { type ReaderContext, readerContextOf, type ReaderLimits } from './reader-context.ts'

interface FinishInput {
  readonly ticket: Ticket
  readonly context: ReaderContext & MediaContext
  readonly signal: AbortSignal
}

interface FinishDeps {
  readonly images: ImagePublisher
  readonly limits: ReaderLimits
  readonly nowMs: () => number
}

interface Finished {
  readonly answer: Answer
  readonly contentType: string
  readonly frames: string
  close(cost: NanoUsd): string
}

type FinishMedia = (
  ticket: Ticket,
  candidate: Candidate,
  task: MediaTask,
  result: MediaResult,
  signal: AbortSignal,
) => Promise<Finished>

/**
 * Turns an upstream's result into the client's response: images are stored for the client to fetch, then everything is
 * written in its dialect.
 */
export function createFinishMedia({ images, limits, nowMs }: FinishDeps): FinishMedia {
  return async (ticket, candidate, task, result, signal) => {
    const durationMs = nowMs() - ticket.arrival.receivedAtMs
    const input = { ticket, context: { ...readerContextOf(ticket, candidate, limits), task, durationMs }, signal }
    const { usage, shown } = await hosted(images, result, input)
    const answer: Answer = { usage, finishReason: null, nativeFinishReason: null }
    const charged = (cost: NanoUsd): Charged | null => chargedFor(usage, cost, input.context)
    return { answer, ...write(shown, input, charged) }
  }
}

type Written = Omit<Finished, 'answer'>
type ChargedBy = (cost: NanoUsd) => Charged | null

function write(shown: RenderedResult, { ticket, context }: FinishInput, charged: ChargedBy): Written {
  const { dialect, wantsEvents } = ticket.arrival
  const { stream } = ticket.plan.call
  if (dialect.family === 'conversation') {
    if (shown.kind !== 'image') throw new TypeError(`a conversation does not end in an ${shown.kind}`)
    return stream && wantsEvents
      ? eventsOf(shown, context, charged)
      : conversationOf(shown, dialect, { context, stream }, charged)
  }
  if (stream) {
    return {
      contentType: '',
      frames: dialect.writeStream?.(shown, context) ?? '',
      close: (cost) => dialect.closeStream?.(shown, charged(cost), context) ?? '',
    }
  }
  // The cost appears only in the body, so the type can be determined before it is known.
  const { contentType } = dialect.render(shown, null, context)
  return { contentType, frames: '', close: (cost) => dialect.render(shown, charged(cost), context).body }
}

function eventsOf(shown: HostedImages, { durationMs }: MediaContext, charged: ChargedBy): Written {
  const close = (cost: NanoUsd): string => closeImageEvents(shown, charged(cost), durationMs)
  return { contentType: '', frames: writeImageEvents(shown), close }
}

/** An image as the response of a conversation. */
function conversationOf(
  { images, text }: HostedImages,
  dialect: ConversationDialect,
  { context, stream }: { context: ReaderContext; stream: boolean },
  charged: ChargedBy,
): Written {
  const reply: CanonicalReply = {
    choices: [
      {
        parts: [
          ...(text === null ? [] : [{ kind: 'text' as const, text }]),
          ...images.map(({ url }) => ({ kind: 'image' as const, source: { kind: 'url' as const, url } })),
        ],
        finishReason: 'stop',
        nativeFinishReason: null,
      },
    ],
    usage: null,
  }
  const contentType = 'application/json; charset=utf-8'
  if (!stream)
    return { contentType, frames: '', close: (cost) => dialect.renderDocument(reply, charged(cost), context) }
  const writer = dialect.createWriter(context)
  let frames = ''
  for (const part of splitReply(reply)) {
    if (part.kind !== 'usage-counted' && part.kind !== 'ended') frames += writer.write(part)
  }
  return { contentType, frames, close: (cost) => writer.close(charged(cost)) }
}

interface Hosted {
  readonly usage: Usage | null
  readonly shown: RenderedResult
}

async function hosted(host: ImagePublisher, result: MediaResult, input: FinishInput): Promise<Hosted> {
  if (result.kind !== 'image') return { usage: result.usage, shown: result }
  if (result.images.length === 0) {
    throw new GatewayError('noImages', { message: 'The upstream returned no image. Nothing was charged.' })
  }
  const { ticket, signal } = input
  const on = { account: outboundAccount(ticket.principal), signal }
  const stored = await Promise.all(result.images.map((image) => host.host(image, on)))
  const { ownUrl } = ticket.arrival
  const images = stored.map(({ token }, index) => {
    const made = result.images[index]
    return { url: `${ownUrl}/v1/images/proxy/${token}`, upstreamUrl: made?.kind === 'url' ? made.url : null }
  })
  const pixels = stored.reduce((sum, { width, height }) => sum + width * height, 0)
  const usage = withPixels(result, pixels)
  return { usage: ofMade(usage, input.context.task, stored), shown: { kind: 'image', images, text: result.text } }
}

function ofMade(usage: Usage | null, task: MediaTask, made: readonly ImageSize[]): Usage | null {
  const variant = usage?.media?.variant
  if (usage === null || variant === undefined || task.kind !== 'image') return usage
  return { ...usage, media: { ...usage.media, variant: madeVariant(variant, task, made) } }
}

/** Upstreams that charge per megapixel rarely report the number, so the images are measured. */
function withPixels({ usage, images }: ImageResult, outputPixels: number): Usage | null {
  if (usage === null) return null
  return { ...usage, media: { outputImages: images.length, outputPixels, ...usage.media } }
}
