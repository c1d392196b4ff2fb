import { outboundAccount } from '#domain/access/outbound-account.ts'
import type { MediaResult } from '#domain/media/media-result.ts'
import type { ImageTask, MediaTask } from '#domain/media/media-task.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { Propagate } from '#domain/tracing/propagate.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import type { FetchedImage, ImageSource } from '#ports/media.ts'
import type { AuthorizeRequest, UpstreamRequest, Upstreams } from '#ports/upstream.ts'
import { isLate } from '#providers/authentication.ts'
import type { MediaCodec, MediaCodecs } from '#providers/codecs/codec.ts'
import type { ExchangeScript } from '#providers/codecs/exchange-script.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'
import type { Ticket } from '../types.ts'
import type { DispatchDeps } from './dispatch-deps.ts'
import { imageTaskOf } from './attempt/image-task-of.ts'
import { type FinishedMedia, MediaAttempt } from './attempt/media-attempt.ts'
import { limitsOf, mediaTargetOf, poolOf, type UpstreamTimeouts } from './prepare-request.ts'
import { vendorOf } from './attempt/vendor-of.ts'
import { wholeExchange } from './attempt/whole-exchange.ts'

/** The dependencies of an attempt with many exchanges, whose result is used as a whole. */
export interface MediaDeps {
  readonly upstreams: Upstreams
  readonly authorize: AuthorizeRequest
  readonly propagate: Propagate
  readonly images: ImageSource
  readonly timeouts: UpstreamTimeouts
  readonly answerBytesMax: number
  readonly finish: (
    ticket: Ticket,
    candidate: Candidate,
    task: MediaTask,
    result: MediaResult,
    signal: AbortSignal,
  ) => Promise<FinishedMedia>
  readonly failFrames: (ticket: Ticket, candidate: Candidate, error: GatewayError) => string | null
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

export function createBeginMedia(deps: MediaDeps): DispatchDeps['begin'] {
  return (ticket, candidate, watcher) => {
    const task = ticket.plan.call.media?.task ?? guessedImage(ticket, candidate)
    const vendor = vendorOf(candidate)
    const { script, ignored } = beginWith(task, vendor.media ?? {}, mediaTargetOf(candidate, vendor))
    const { authentication } = vendor
    const { credential } = candidate.account
    const prove = async (request: UpstreamRequest): Promise<UpstreamRequest> =>
      isLate(authentication) && credential !== null ? deps.authorize(request, credential, authentication) : request
    const fetched: FetchedImage[] = []
    const attempt = new MediaAttempt({
      ticket,
      script,
      // Started here, so that a task that this upstream does not support is rejected before any request.
      first: script.next(),
      send: async (request, signal) => {
        const limits = limitsOf(false, deps.timeouts)
        const whole: UpstreamRequest = { ...request, ...poolOf(ticket, candidate), ...limits }
        const proven = await prove(deps.propagate(ticket.arrival.trace, whole))
        return wholeExchange(deps.upstreams, proven, { bytesMax: deps.answerBytesMax, signal })
      },
      fetchImage: async (url, signal) => {
        const image = await deps.images.fetch(url, { account: outboundAccount(ticket.principal), signal })
        fetched.push(image)
        return image.file
      },
      discard: async () => {
        for (const image of fetched) await image.discard()
      },
      wait: deps.wait,
      deadlineMs: deps.timeouts.answerTimeoutMs,
      finish: (result, signal) => deps.finish(ticket, candidate, task, result, signal),
      failFrames: (error) => deps.failFrames(ticket, candidate, error),
      watcher,
    })
    return { attempt, ignored }
  }
}

/** The image that a conversation requests. */
function guessedImage({ arrival: { dialect }, plan }: Ticket, { model }: Candidate): ImageTask {
  assert(dialect.family === 'conversation', 'only a conversation has its image guessed')
  return imageTaskOf(dialect, plan.call, model)
}

interface Begun {
  readonly script: ExchangeScript<MediaResult>
  /** Client fields that are not sent to the upstream. */
  readonly ignored: readonly string[]
}

function beginWith(task: MediaTask, media: MediaCodecs, target: MediaTarget): Begun {
  switch (task.kind) {
    case 'embedding':
      return begun(able(media.embedding), task, target)
    case 'image':
      return begun(able(media.image), task, target)
    case 'moderation':
      return begun(able(media.moderation), task, target)
    case 'rerank':
      return begun(able(media.rerank), task, target)
    case 'transcription':
      return begun(able(media.transcription), task, target)
    case 'translation':
      return begun(able(media.translation), task, target)
    case 'realtime':
      throw new TypeError('responses of realtime sessions have their socket already')
    case 'speech':
      throw new TypeError('speech is passed on as it comes')
    case 'video':
      throw new TypeError('videos are made by jobs')
  }
}

function begun<Task>(codec: MediaCodec<Task, MediaResult>, task: Task, target: MediaTarget): Begun {
  return { script: codec.converse(task, target), ignored: codec.ignored?.(task, target) ?? [] }
}

function able<Codec>(codec: Codec | undefined): Codec {
  assert(codec !== undefined, 'only hosts that can are candidates')
  return codec
}
