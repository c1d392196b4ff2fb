import { noUsage, type Usage } from '#domain/inference/usage.ts'
import { charactersIn } from '#domain/media/speech.ts'
import type { MediaTask, SpeechTask } from '#domain/media/media-task.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { VideoTask } from '#domain/video/video-task.ts'
import { assert } from '#lib/assert.ts'
import type { MediaCodecs, SpeechCodec } from '#providers/codecs/codec.ts'
import { type ExchangeScript, pause, send } from '#providers/codecs/exchange-script.ts'
import { UnusableAnswerError } from '#providers/codecs/faults.ts'
import { bodyOf } from '#providers/codecs/media-request.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'
import type { VideoCodec } from '#providers/codecs/video-codec.ts'
import { mediaTargetOf } from '#pipeline/dispatch/prepare-request.ts'
import { vendorOf } from '#pipeline/dispatch/attempt/vendor-of.ts'
import type { Answered } from './answered.ts'

/** Requests for all media, through the vendor's own codec. */
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
    case 'moderation': {
      const { usage } = yield* able(media.moderation).converse(task, target)
      return { usage }
    }
    case 'rerank': {
      const { usage } = yield* able(media.rerank).converse(task, target)
      return { usage }
    }
    case 'transcription': {
      const { usage } = yield* able(media.transcription).converse(task, target)
      return { usage }
    }
    case 'translation': {
      const { usage } = yield* able(media.translation).converse(task, target)
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
    case 'realtime':
      throw new TypeError('responses of realtime sessions need a socket')
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
  throw new UnusableAnswerError('The video is not finished yet. The provider may charge for it anyway.')
}

function able<Codec>(codec: Codec | undefined): Codec {
  assert(codec !== undefined, 'only hosts that can are asked')
  return codec
}
