import type { ImageTask } from '#domain/media/media-task.ts'
import type { VideoOutput } from '#domain/video/video-job.ts'
import type { VideoTask } from '#domain/video/video-task.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { playFal } from '#test/simulators/media/images/fal.ts'
import { playGeminiImages } from '#test/simulators/media/images/gemini-images.ts'
import { gptImageUsage, playOpenAiImages } from '#test/simulators/media/images/openai-images.ts'
import { playReplicate } from '#test/simulators/media/images/replicate.ts'
import { playInvokeModel } from '#test/simulators/media/invoke-model.ts'
import { runConversation } from '#test/media/run-conversation.ts'
import { videoTask } from '#test/media/videos/video-talk.ts'
import { type Asked, codecOf, download, draw, film, filmWith, pngFile, targetOf } from '../ours/ask-media.ts'
import type { Twin } from '../twin.ts'
import { bedrock, filming, serving, vertexHost } from './media-upstreams.ts'

type Drawn = Awaited<ReturnType<typeof draw>>

function drawing(
  asked: Asked,
  task: Partial<ImageTask> = {},
  show: (drawn: Drawn) => JsonObject = () => ({}),
): () => Promise<JsonValue> {
  return async () => {
    const drawn = await draw(asked, task)
    return { images: drawn.images.map(imageOf), ...show(drawn) }
  }
}

function imageOf(image: Drawn['images'][number]): string {
  if (image.kind === 'url') return image.url
  return image.kind === 'base64' ? image.base64 : image.bytes.toString('base64')
}

function tokensOf({ usage }: Drawn): JsonObject {
  if (usage === null) return { tokens: null }
  const input = usage.uncachedInput + (usage.media?.inputImageTokens ?? 0)
  return { tokens: { input, output: usage.imageOutput + usage.textOutput } }
}

const falDefaults = {
  '1.header.x-fal-queue-priority': 'The SDK states the default.',
  '2.query.logs': 'The SDK states the default.',
}

const imageTwins: readonly Twin[] = [
  {
    provider: 'openai',
    capability: 'images',
    sdk: 'openai',
    call: 'images',
    upstream: serving(() => playOpenAiImages({ usage: gptImageUsage })),
    ours: drawing(
      { provider: 'openai', model: 'gpt-image-1' },
      { size: { width: 1_024, height: 1_024 }, quality: 'low' },
      tokensOf,
    ),
  },
  {
    provider: 'openai',
    capability: 'edits',
    sdk: 'openai',
    call: 'edits',
    upstream: serving(() => playOpenAiImages({ usage: gptImageUsage })),
    ours: drawing(
      { provider: 'openai', model: 'gpt-image-1' },
      { inputs: [{ kind: 'file', file: pngFile }] },
      tokensOf,
    ),
  },
  {
    provider: 'together',
    capability: 'images',
    sdk: 'together-ai',
    call: 'images',
    upstream: serving(playOpenAiImages),
    ours: drawing(
      { provider: 'together', model: 'black-forest-labs/FLUX.1-schnell' },
      { size: { width: 1_024, height: 768 } },
    ),
  },
  {
    provider: 'google-ai-studio',
    capability: 'images',
    sdk: '@google/genai',
    call: 'images',
    upstream: serving(playGeminiImages),
    ours: drawing({ provider: 'google-ai-studio', model: 'gemini-2.5-flash-image' }, { aspectRatio: '16:9' }),
  },
  {
    provider: 'fal',
    capability: 'images',
    sdk: '@fal-ai/client',
    call: 'images',
    upstream: serving(playFal),
    ours: drawing({ provider: 'fal', model: 'fal-ai/flux/dev' }, { size: { width: 1_024, height: 768 } }),
    differences: falDefaults,
  },
  {
    provider: 'replicate',
    capability: 'images',
    sdk: 'replicate',
    call: 'images',
    upstream: serving(playReplicate),
    ours: drawing({ provider: 'replicate', model: 'black-forest-labs/flux-schnell' }, { aspectRatio: '16:9' }),
  },
  {
    provider: 'google-vertex',
    capability: 'images',
    sdk: '@google/genai',
    call: 'vertexImages',
    upstream: serving(playGeminiImages),
    ours: drawing({ ...vertexHost, model: 'gemini-2.5-flash-image' }, { aspectRatio: '16:9' }),
  },
  {
    provider: 'google-vertex',
    capability: 'images',
    sdk: '@google/genai',
    call: 'vertexImagen',
    upstream: serving(playGeminiImages),
    ours: drawing(
      { ...vertexHost, model: 'imagen-4.0-generate-001' },
      { count: 2, aspectRatio: '16:9', extras: { resolution: '2K' } },
    ),
  },
  {
    provider: 'amazon-bedrock',
    capability: 'images',
    sdk: '@aws-sdk/client-bedrock-runtime',
    call: 'novaImages',
    upstream: serving(playInvokeModel),
    ours: drawing(
      { ...bedrock, model: 'us.amazon.nova-canvas-v1:0' },
      { count: 2, size: { width: 1_024, height: 768 } },
    ),
  },
  {
    provider: 'amazon-bedrock',
    capability: 'edits',
    sdk: '@aws-sdk/client-bedrock-runtime',
    call: 'novaEdits',
    upstream: serving(playInvokeModel),
    ours: drawing({ ...bedrock, model: 'us.amazon.nova-canvas-v1:0' }, { inputs: [{ kind: 'file', file: pngFile }] }),
  },
  {
    provider: 'amazon-bedrock',
    capability: 'images',
    sdk: '@aws-sdk/client-bedrock-runtime',
    call: 'stableImages',
    upstream: serving(playInvokeModel),
    ours: drawing({ ...bedrock, model: 'stability.sd3-5-large-v1:0' }, { aspectRatio: '16:9' }),
  },
]

function shooting(asked: Asked, task: Partial<VideoTask>): () => Promise<JsonValue> {
  return async () => {
    const progress = await film(asked, videoTask({ prompt: 'A paper boat', ...task }))
    if (progress.kind !== 'made') return { status: progress.kind }
    const { pathname } = new URL(targetOf(asked).baseUrl)
    const addressOf = (output: VideoOutput) => {
      if (output.kind === 'answer') return `video ${output.index}`
      return output.kind === 'url' ? output.url : `http://upstream${pathname}${output.path}`
    }
    return { status: 'made', urls: progress.outputs.map(addressOf) }
  }
}

const wide = { aspectRatio: '16:9', resolution: '720p' } as const
const firstFrame = 'https://images.test/first.png'

const filmed: readonly Omit<Twin, 'capability'>[] = [
  {
    provider: 'openai',
    sdk: 'openai',
    call: 'videos',
    upstream: filming('openai'),
    ours: async () => {
      const asked: Asked = { provider: 'openai', model: 'sora-2' }
      const progress = await film(
        asked,
        videoTask({ prompt: 'A paper boat', durationS: 4, size: { width: 1_280, height: 720 } }),
      )
      return { status: progress.kind, base64: (await download(asked, progress)).toString('base64') }
    },
    differences: {
      '1.header.content-type': 'OpenAI takes JSON as well; the SDK sends a form, in which a file may stand.',
    },
  },
  {
    provider: 'google-ai-studio',
    sdk: '@google/genai',
    call: 'videos',
    upstream: filming('omni'),
    ours: shooting({ provider: 'google-ai-studio', model: 'gemini-omni-1.1-flash' }, { ...wide, durationS: 8 }),
    differences: { '2.query.stream': 'The SDK states the default.' },
  },
  {
    provider: 'google-vertex',
    sdk: '@google/genai',
    call: 'vertexVideos',
    upstream: filming('vertex-veo'),
    ours: async () => {
      const asked: Asked = { ...vertexHost, model: 'veo-3.1-generate-001' }
      const task = videoTask({ prompt: 'A paper boat', ...wide, durationS: 8 })
      const { reference, progress } = await filmWith(asked, task)
      const { bring } = codecOf(asked, 'video')
      if (progress.kind !== 'made' || bring === undefined) return { status: progress.kind }
      const bytes = await runConversation(bring(0, reference, targetOf(asked)))
      return { status: 'made', videos: [bytes.result.toString('base64')] }
    },
    differences: { 3: 'The video is asked for once more to be kept, instead of with the state of its job.' },
  },
  {
    provider: 'openrouter',
    sdk: '@openrouter/sdk',
    call: 'videos',
    upstream: filming('openrouter'),
    ours: shooting({ provider: 'openrouter', model: 'google/veo-3.1' }, { ...wide, durationS: 8 }),
  },
  {
    provider: 'runway',
    sdk: '@runwayml/sdk',
    call: 'videos',
    upstream: filming('runway'),
    ours: shooting({ provider: 'runway', model: 'gen4.5' }, { aspectRatio: '16:9' }),
  },
  {
    provider: 'runway',
    sdk: '@runwayml/sdk',
    call: 'fromImage',
    upstream: filming('runway'),
    ours: shooting({ provider: 'runway', model: 'gen4_turbo' }, { task: 'image_to_video', firstFrame }),
  },
  {
    provider: 'luma',
    sdk: 'lumaai',
    call: 'videos',
    upstream: filming('luma-dream-machine'),
    ours: shooting({ provider: 'luma', model: 'ray-2', baseUrl: dreamMachine() }, wide),
  },
  {
    provider: 'luma',
    sdk: 'lumaai',
    call: 'fromImage',
    upstream: filming('luma-dream-machine'),
    ours: shooting(
      { provider: 'luma', model: 'ray-2', baseUrl: dreamMachine() },
      { ...wide, task: 'image_to_video', firstFrame },
    ),
  },
  {
    provider: 'fal',
    sdk: '@fal-ai/client',
    call: 'videos',
    upstream: filming('fal'),
    ours: shooting({ provider: 'fal', model: 'fal-ai/veo3.1' }, { ...wide, durationS: 8 }),
    differences: falDefaults,
  },
  {
    provider: 'replicate',
    sdk: 'replicate',
    call: 'videos',
    upstream: filming('replicate'),
    ours: shooting({ provider: 'replicate', model: 'kwaivgi/kling-v2.1-master' }, {}),
  },
]

/** Luma's older API has its own URL, which the operator configures. */
function dreamMachine(): string {
  return 'https://api.lumalabs.ai/dream-machine/v1'
}

/** Images and videos. */
export const pictureTwins: readonly Twin[] = [
  ...imageTwins,
  ...filmed.map((twin) => ({ ...twin, capability: 'videos' as const })),
]
