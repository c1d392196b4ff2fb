import type { VideoTask } from '#domain/video/video-task.ts'
import { type BuiltRequest, firstRequest } from '#test/media/first-request.ts'
import { taskOfKind } from '#test/media/videos/video-talk.ts'
import { type Asked, codecOf, targetOf } from '../ours/ask-media.ts'
import { bodyOf, type Order } from './body-of.ts'
import { falType, lumaType, openAiType, runwayType } from './sdk-types.ts'
import type { SdkType, TypedBody } from './typed-body.ts'

type Options = readonly Partial<VideoTask>[]

const falApps = [
  'fal-ai/veo3.1',
  'fal-ai/veo3.1/fast',
  'fal-ai/kling-video/v2.5-turbo/pro/text-to-video',
  'fal-ai/kling-video/v2.6/pro/text-to-video',
  'fal-ai/kling-video/v3/pro/text-to-video',
  'fal-ai/minimax/hailuo-02/standard/text-to-video',
  'fal-ai/bytedance/seedance/v1.5/pro/text-to-video',
  'fal-ai/luma-dream-machine/ray-2',
  'fal-ai/sora-2/text-to-video',
  'fal-ai/wan/v2.7/text-to-video',
  'fal-ai/ltx-2/text-to-video',
  'xai/grok-imagine-video/text-to-video',
]
const runwayModels = [
  'gen4.5',
  'gen4_turbo',
  'veo3.1',
  'veo3.1_fast',
  'seedance2',
  'seedance2_fast',
  'happyhorse_1_0',
  'gemini_omni_flash',
  'aleph2',
]

const ratios: Options = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'].map((aspectRatio) => ({ aspectRatio }))
const lines: Options = ['540p', '720p', '768p', '1080p', '4k'].map((resolution) => ({ resolution }))
const options: Options = [{}, ...ratios, ...lines, { resolution: '1080p', aspectRatio: '9:16' }]

/** Videos: model × task × frame. */
export function videoBodies(): TypedBody[] {
  return [
    ...falApps.flatMap((model) =>
      filmed({ provider: 'fal', model }, ({ path }) => falType(path.slice(1)), falSeconds(model)),
    ),
    ...runwayModels.flatMap((model) =>
      filmed({ provider: 'runway', model }, runwayTypeOf, model.startsWith('veo') ? 8 : 5),
    ),
    ...['ray-2', 'ray-flash-2'].flatMap((model) => filmed({ provider: 'luma', model }, lumaTypeOf, 5)),
    ...filmed({ provider: 'openai', model: 'sora-2' }, () => openAiType('VideoCreateParams'), 8),
  ]
}

function falSeconds(model: string): number {
  if (/veo|sora|ltx/.test(model)) return 8
  return model.includes('hailuo') ? 6 : 5
}

function runwayTypeOf({ path }: BuiltRequest): SdkType {
  if (path.endsWith('text_to_video')) return runwayType('TextToVideoCreateParams')
  return runwayType(path.endsWith('image_to_video') ? 'ImageToVideoCreateParams' : 'VideoToVideoCreateParams')
}

function lumaTypeOf({ path }: BuiltRequest): SdkType {
  return lumaType(path.endsWith('modify') ? 'VideoModifyParams' : 'VideoCreateParams')
}

function filmed(asked: Asked, typeFor: Order['typeFor'], durationS: number): TypedBody[] {
  const codec = codecOf(asked, 'video')
  const kinds = codec.tasksFor?.(asked.model) ?? codec.tasks
  return kinds.flatMap((kind) =>
    options.flatMap((option) => {
      const task = { ...taskOfKind[kind], durationS, ...option }
      const wish = [kind, option.aspectRatio, option.resolution].filter((word) => word !== undefined).join(' ')
      const build = () => firstRequest(codec.submit(task, targetOf(asked), 'vjob_1-1'))
      return bodyOf({ asked, capability: 'videos', wish, typeFor, build })
    }),
  )
}
