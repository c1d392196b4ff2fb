import { setTimeout as wait } from 'node:timers/promises'
import { createConverse } from '#jobs/video/converse.ts'
import type { VideoTask } from '#domain/video/video-task.ts'
import { createUpstreamClient } from '#net/upstream-client.ts'
import type { JsonObject } from '#lib/json.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'
import type { VideoCodec, VideoProgress } from '#providers/codecs/video-codec.ts'
import { findVendor } from '#providers/registry.ts'
import { shownCredential } from '#providers/shown-credential.ts'
import type { VideoHostName } from '#test/simulators/media/videos/hosts.ts'
import { startVideoUpstream } from '#test/simulators/media/videos/start-video-upstream.ts'
import type { VideoUpstream } from '#test/simulators/media/videos/video-upstream.ts'

/** A provider on a socket, and its codec used as workers do. */
export interface VideoTalk {
  readonly upstream: VideoUpstream
  readonly codec: VideoCodec
  target(upstreamModel: string, details?: JsonObject): MediaTarget
  submit(task: VideoTask, target: MediaTarget, name?: string): Promise<JsonObject>
  find(name: string, target: MediaTarget, task: VideoTask): Promise<JsonObject | null | undefined>
  poll(reference: JsonObject, target: MediaTarget, task: VideoTask): Promise<VideoProgress>
  /** Fetches a video that a response contains. */
  bring(index: number, reference: JsonObject, target: MediaTarget): Promise<Buffer>
  /** The progress of all polls until the end. */
  follow(task: VideoTask, target: MediaTarget): Promise<VideoProgress[]>
  /** The body of the last order. */
  lastBody(): Promise<JsonObject>
  /** Images that were fetched and not yet released. */
  readonly openImages: number
  close(): Promise<void>
}

export async function startVideoTalk(host: VideoHostName, key?: string): Promise<VideoTalk> {
  const upstream = await startVideoUpstream(host, key === undefined ? {} : { key })
  const vendor = findVendor(upstream.vendor)
  const codec = vendor?.media?.video
  if (vendor === undefined || codec === undefined) throw new Error(`${upstream.vendor} makes no videos`)
  const network = createUpstreamClient({ connectTimeoutMs: 5_000, connectionsMax: 4 })
  let openImages = 0
  const converse = createConverse({
    upstreams: network,
    images: {
      fetch: async (url) => {
        openImages += 1
        const bytes = Buffer.from(`image at ${url}`)
        const content = { kind: 'memory' as const, bytes }
        return {
          file: { name: 'image', mediaType: 'image/png', byteCount: bytes.length, content },
          discard: async () => {
            openImages -= 1
          },
        }
      },
    },
    connectTimeoutMs: 5_000,
    answerTimeoutMs: 5_000,
    answerBytesMax: 1_048_576,
    wait,
    authorize: unauthorized,
  })
  const talkWith = (target: MediaTarget) => talkOf(codec, target)
  const submit: VideoTalk['submit'] = (task, target, name = 'vjob_1-1') =>
    converse(codec.submit(task, target, name), talkWith(target))
  const poll: VideoTalk['poll'] = (reference, target, task) =>
    converse(codec.poll(reference, target, task), talkWith(target))
  return {
    upstream,
    codec,
    target: (upstreamModel, details = {}) => {
      const { authentication, mediaPath = '' } = vendor
      const credential = shownCredential(authentication, upstream.key, Date.now())
      const baseUrl = upstream.baseUrl + mediaPath
      return { baseUrl, authentication, credential, upstreamModel, model: 'a/b', details }
    },
    submit,
    find: async (name, target, task) =>
      codec.find === undefined ? undefined : converse(codec.find(name, target, task), talkWith(target)),
    poll,
    bring: async (index, reference, target) => {
      if (codec.bring === undefined) throw new Error('its videos are not in an answer')
      return converse(codec.bring(index, reference, target), talkWith(target))
    },
    follow: async (task, target) => {
      const reference = await submit(task, target)
      const heard: VideoProgress[] = []
      for (let count = 0; count < 20; count += 1) {
        const progress = await poll(reference, target, task)
        heard.push(progress)
        if (progress.kind !== 'working') return heard
      }
      return heard
    },
    lastBody: async () => (await upstream.orders()).at(-1)?.body ?? {},
    get openImages() {
      return openImages
    },
    close: async () => {
      await network.close()
      await upstream.close()
    },
  }
}

/** Targets here contain their keys. */
function unauthorized(): never {
  throw new Error('nothing is to be authorized once it is built')
}

/** An order for a video from text only, by default. */
export function videoTask(wishes: Partial<VideoTask> = {}): VideoTask {
  return {
    kind: 'video',
    task: 'text_to_video',
    prompt: 'A paper boat in the rain',
    durationS: 5,
    resolution: null,
    aspectRatio: null,
    size: null,
    audio: false,
    watermark: false,
    seed: null,
    firstFrame: null,
    lastFrame: null,
    references: [],
    inputVideo: null,
    extras: {},
    ...wishes,
  }
}

const first = 'https://images.test/first.png'
const last = 'https://images.test/last.png'

export const taskOfKind: Readonly<Record<VideoTask['task'], VideoTask>> = {
  text_to_video: videoTask(),
  image_to_video: videoTask({ task: 'image_to_video', firstFrame: first }),
  keyframes: videoTask({ task: 'keyframes', firstFrame: first, lastFrame: last }),
  reference_to_video: videoTask({ task: 'reference_to_video', references: [first, last] }),
  continuation: videoTask({
    task: 'continuation',
    durationS: 10,
    inputVideo: { url: 'https://videos.test/a.mp4', durationMs: 5_000 },
  }),
  video_edit: videoTask({ task: 'video_edit', inputVideo: { url: 'https://videos.test/a.mp4', durationMs: 4_200 } }),
}

function talkOf(codec: VideoCodec, target: MediaTarget) {
  return { host: { name: 'acme', codec, target, credential: null }, account: 'acme' }
}
