import type { VideoTask } from '#domain/video/video-task.ts'
import type { MediaFile } from '#domain/media/media-file.ts'
import type { EmbeddingResult, ImageResult, RerankResult, TranscriptionResult } from '#domain/media/media-result.ts'
import type { EmbeddingTask, ImageTask, RerankTask, SpeechTask, TranscriptionTask } from '#domain/media/media-task.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject } from '#lib/json.ts'
import { signRequest } from '#net/sign-request.ts'
import type { MediaCodec, MediaCodecs } from '#providers/codecs/codec.ts'
import type { MediaRequest } from '#providers/codecs/exchange-script.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'
import type { VideoProgress } from '#providers/codecs/video-codec.ts'
import { findVendor, type VendorSlug } from '#providers/registry.ts'
import { shownCredential } from '#providers/shown-credential.ts'
import { runConversation } from '#test/media/run-conversation.ts'
import { upstreamKey } from '../twin.ts'

/** A provider and the upstream's name of the model. */
export interface Asked {
  readonly provider: VendorSlug
  readonly model: string
  /** Our model name, if it affects the request; otherwise the upstream's name is used. */
  readonly ourModel?: string
  readonly baseUrl?: string
  readonly credential?: string
  readonly details?: JsonObject
}

export async function embed(asked: Asked, task: Partial<EmbeddingTask> = {}): Promise<EmbeddingResult> {
  const whole: EmbeddingTask = { kind: 'embedding', inputs: [], dimensions: null, encoding: null, extras: {}, ...task }
  return converse(codecOf(asked, 'embedding'), whole, asked)
}

export async function rank(asked: Asked, task: Partial<RerankTask> = {}): Promise<RerankResult> {
  const whole: RerankTask = {
    kind: 'rerank',
    query: 'a mill',
    documents: ['riverside', 'fog', 'weir'],
    top: 2,
    documentTokensMax: null,
    returnsDocuments: false,
    extras: {},
    ...task,
  }
  return converse(codecOf(asked, 'rerank'), whole, asked)
}

export async function draw(asked: Asked, task: Partial<ImageTask> = {}): Promise<ImageResult> {
  return converse(codecOf(asked, 'image'), imageTask(task), asked)
}

export async function transcribe(asked: Asked, task: Partial<TranscriptionTask> = {}): Promise<TranscriptionResult> {
  return converse(codecOf(asked, 'transcription'), transcriptionTask(task), asked)
}

/** Speech is one request, whose response is relayed. */
export async function speak(asked: Asked, task: Partial<SpeechTask> = {}): Promise<Buffer> {
  const { origin, path, headers, body } = codecOf(asked, 'speech').buildRequest(speechTask(task), targetOf(asked))
  assert(Array.isArray(body) || typeof body === 'string', 'a request for speech has a body')
  const text = typeof body === 'string' ? body : body.map(String).join('')
  const response = await fetch(origin + path, { method: 'POST', headers: { ...headers }, body: text })
  assert(response.ok, `the upstream speaks: ${response.status}`)
  const bytes = Buffer.from(await response.arrayBuffer())
  return codecOf(asked, 'speech').readDocument?.(bytes, speechTask(task))?.audio ?? bytes
}

/** Orders a video and polls until it is completed or failed. */
export async function film(asked: Asked, task: VideoTask): Promise<VideoProgress> {
  return (await filmWith(asked, task)).progress
}

/** The same, with the data for another poll. */
export async function filmWith(
  asked: Asked,
  task: VideoTask,
): Promise<{ reference: JsonObject; progress: VideoProgress }> {
  const codec = codecOf(asked, 'video')
  const target = targetOf(asked)
  const { result: reference } = await runConversation(codec.submit(task, target, 'vjob_1-1'))
  for (let polls = 0; polls < 20; polls += 1) {
    const { result } = await runConversation(codec.poll(reference, target, task))
    if (result.kind !== 'working') return { reference, progress: result }
  }
  throw new Error('the video was never made')
}

/** The first generated video, fetched as its upstream requires. */
export async function download(asked: Asked, progress: VideoProgress): Promise<Buffer> {
  assert(progress.kind === 'made', 'a video was made')
  const [output] = progress.outputs
  const request = output === undefined ? undefined : codecOf(asked, 'video').download?.(output, targetOf(asked))
  assert(request !== undefined, 'the output is fetched with the key')
  const response = await fetch(request.origin + request.path, { headers: { ...request.headers } })
  return Buffer.from(await response.arrayBuffer())
}

async function converse<Task, Result>(codec: MediaCodec<Task, Result>, task: Task, asked: Asked): Promise<Result> {
  const { result } = await runConversation(codec.converse(task, targetOf(asked)), { authorize: authorizing(asked) })
  return result
}

/** Signs requests to upstreams that require it; all others got the key when they were built. */
function authorizing({ provider, credential = upstreamKey }: Asked): (request: MediaRequest) => Promise<MediaRequest> {
  const authentication = findVendor(provider)?.authentication
  return async (request) => {
    if (authentication?.kind !== 'sigv4') return request
    const signing = { service: authentication.service, region: 'us-east-1', nowMs: Date.now() }
    const limits = { connectTimeoutMs: 5_000, headersTimeoutMs: 5_000, bodyTimeoutMs: 5_000 }
    const { headers } = await signRequest({ ...request, ...limits }, credential, signing)
    return { ...request, headers }
  }
}

export function codecOf<Kind extends keyof MediaCodecs>(
  { provider }: Asked,
  kind: Kind,
): NonNullable<MediaCodecs[Kind]> {
  const codec = findVendor(provider)?.media?.[kind]
  if (codec === undefined) throw new Error(`${provider} has no codec for ${kind}`)
  return codec
}

export function targetOf({ provider, model, ourModel, baseUrl, details }: Asked): MediaTarget {
  const vendor = findVendor(provider)
  const address = baseUrl ?? vendor?.baseUrl ?? null
  assert(vendor !== undefined && address !== null, `${provider} has an address`)
  const { authentication, mediaPath = '' } = vendor
  const credential = shownCredential(authentication, upstreamKey, Date.now())
  return {
    baseUrl: address + mediaPath,
    authentication,
    credential,
    upstreamModel: model,
    model: ourModel ?? model,
    details: details ?? {},
  }
}

export function imageTask(task: Partial<ImageTask>): ImageTask {
  const none = { size: null, aspectRatio: null, quality: null, inputs: [], extras: {} }
  return { kind: 'image', prompt: 'a fox', count: 1, ...none, ...task }
}

export function speechTask(task: Partial<SpeechTask>): SpeechTask {
  return { kind: 'speech', input: 'Hello there', voice: 'alloy', format: null, speed: null, extras: {}, ...task }
}

export function transcriptionTask(task: Partial<TranscriptionTask>): TranscriptionTask {
  const none = { language: null, prompt: null, temperature: null, wants: { segments: false, words: false }, extras: {} }
  return { kind: 'transcription', audio: wavFile, ...none, ...task }
}

/** The recording of both sides; `sdks/samples.mjs` creates the same bytes. */
const wavFile: MediaFile = fileOf('speech.wav', 'audio/wav', Buffer.from('RIFF sample of twins', 'latin1'))
export const pngFile: MediaFile = fileOf('image.png', 'image/png', Buffer.from('PNG sample of twins', 'latin1'))

function fileOf(name: string, mediaType: string, bytes: Buffer): MediaFile {
  return { name, mediaType, byteCount: bytes.length, content: { kind: 'memory', bytes } }
}
