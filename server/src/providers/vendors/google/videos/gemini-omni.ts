import { FileText, type MediaJson } from '#domain/media/media-json.ts'
import type { VideoOutput } from '#domain/video/video-job.ts'
import type { VideoTask, VideoTaskKind } from '#domain/video/video-task.ts'
import { videoUsage } from '#domain/video/video-usage.ts'
import { type JsonObject, objectAt, objectsIn, stringAt } from '#lib/json.ts'
import { readFailure } from '#providers/protocols/gemini/read-failure.ts'
import {
  type ExchangeScript,
  fetchImage,
  send,
  type Step,
  type StepOutcome,
} from '#providers/codecs/exchange-script.ts'
import { UnusableAnswerError } from '#providers/codecs/faults.ts'
import { getRequest, jsonOf, jsonRequest } from '#providers/codecs/media-request.ts'
import { fixedParameters, type MediaTarget } from '#providers/codecs/target.ts'
import type { VideoCodec } from '#providers/codecs/video-codec.ts'
import { ratioOf } from '#providers/codecs/videos/frame-size.ts'
import { givenId, storedText } from '#providers/codecs/videos/given-id.ts'
import { hostDuration, secondsFromTo } from '#providers/codecs/videos/host-duration.ts'
import { publicOutputs, requestForOutput } from '#providers/codecs/videos/outputs.ts'
import { refuseMoreReferences, refuseOtherTasks, unsupported } from '#providers/codecs/videos/refuse-task.ts'
import { forgottenVideo, jobIn } from '#providers/codecs/videos/video-outcome.ts'
import { readInteraction } from './read-interaction.ts'

const tasks: readonly VideoTaskKind[] = ['text_to_video', 'image_to_video', 'reference_to_video']
const referencesMax = 3

/**
 * Gemini Omni on the Interactions API. An interaction runs in the background, and its videos are files of the Gemini
 * API.
 */
export const geminiOmni: VideoCodec = {
  tasks,
  *submit(task, target) {
    refuseOtherTasks(task, 'Google', tasks)
    refuseMoreReferences(task, 'Google', referencesMax)
    if (objectAt(target.details, 'video').generate_audio === true && !task.audio) {
      throw unsupported('This model always generates sound. Request the video with audio.')
    }
    const request = jsonRequest(target, '/interactions', yield* orderOf(task, target))
    const id = givenId(jsonOf(yield* send(request), readFailure), 'id')
    if (!idForm.test(id)) throw new UnusableAnswerError('Google returned an interaction id in an unknown format.')
    return { interaction: id }
  },
  *poll(reference, target, task) {
    const interaction = yield* fetchInteraction(reference, target)
    if (interaction === null) return forgottenVideo
    const state = readInteraction(interaction)
    if (state.kind !== 'videos') return state
    const outputs = state.videos.flatMap(outputOf)
    if (outputs.length === 0) throw new UnusableAnswerError('Google returned videos without a URL.')
    const outputVideoMs = secondsOf(task, target) * 1_000 * outputs.length
    return {
      kind: 'made',
      outputs,
      usage: videoUsage(task, { outputVideoMs, ...videoTokensIn(interaction) }),
    }
  },
  *bring(index, reference, target) {
    const state = readInteraction((yield* fetchInteraction(reference, target)) ?? {})
    const data = state.kind === 'videos' ? stringAt(state.videos[index] ?? {}, 'data') : undefined
    if (data === undefined) throw new UnusableAnswerError('Google no longer has the video.')
    return Buffer.from(data, 'base64')
  },
  download: requestForOutput,
}

// The id becomes part of a path.
const idForm = /^[\w-]+$/

function* fetchInteraction(reference: JsonObject, target: MediaTarget): ExchangeScript<JsonObject | null> {
  const request = getRequest(target, `/interactions/${storedText(reference, 'interaction')}`)
  return jobIn(yield* send(request), readFailure)
}

function* orderOf(task: VideoTask, target: MediaTarget): Generator<Step, Record<string, MediaJson>, StepOutcome> {
  const images: MediaJson[] = []
  const shown = task.task === 'reference_to_video' ? task.references : task.firstFrame === null ? [] : [task.firstFrame]
  for (const url of shown) {
    const file = yield* fetchImage(url)
    images.push({ type: 'image', data: new FileText(file), mime_type: file.mediaType })
  }
  return {
    ...fixedParameters(target),
    model: target.upstreamModel,
    input: images.length === 0 ? task.prompt : [...images, { type: 'text', text: task.prompt }],
    // Google stores an interaction for as long as a client may request its result.
    background: true,
    store: true,
    response_format: {
      type: 'video',
      delivery: 'uri',
      duration: `${secondsOf(task, target)}s`,
      aspect_ratio: ratioOf(task, ['16:9', '9:16'], target),
      ...(task.resolution === null ? {} : { resolution: task.resolution.toLowerCase() }),
    },
    generation_config: {
      ...(task.seed === null ? {} : { seed: task.seed }),
      video_config: { task: task.task },
    },
  }
}

function secondsOf(task: VideoTask, target: MediaTarget): number {
  return hostDuration(task, 'Omni', secondsFromTo(3, 10), target)
}

function videoTokensIn(interaction: JsonObject): { videoTokens?: number } {
  const counts = objectsIn(objectAt(interaction, 'usage').output_tokens_by_modality)
  const tokens = counts.find(({ modality }) => modality === 'video')?.tokens
  return typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens > 0 ? { videoTokens: tokens } : {}
}

/**
 * The gateway fetches files from the configured base URL, whatever host the response names, so that the credential is
 * sent nowhere else. Google includes some videos in the response although URLs were requested.
 */
function outputOf(video: JsonObject, index: number): VideoOutput[] {
  const address = stringAt(video, 'uri')
  if (address === undefined) return [{ kind: 'answer', index }]
  const url = URL.parse(address)
  const path = url === null ? undefined : filePath.exec(url.pathname)?.[0]
  return url === null || path === undefined
    ? publicOutputs([address])
    : [{ kind: 'path', path: path + withoutKey(url) }]
}

const filePath = /\/files\/[\w-]+(?::download)?$/

function withoutKey({ searchParams }: URL): string {
  searchParams.delete('key')
  return searchParams.size === 0 ? '?alt=media' : `?${searchParams}`
}
