import type { ImageTask } from '#domain/media/media-task.ts'
import { firstRequest } from '#test/media/first-request.ts'
import { type Asked, codecOf, imageTask, targetOf } from '../ours/ask-media.ts'
import { bodyOf, type Order } from './body-of.ts'
import { falType, openAiType, togetherType } from './sdk-types.ts'
import type { TypedBody } from './typed-body.ts'

const falApps = [
  'fal-ai/flux/dev',
  'fal-ai/flux/schnell',
  'fal-ai/flux-pro/v1.1',
  'fal-ai/flux-pro/v1.1-ultra',
  'fal-ai/flux-pro/kontext',
  'fal-ai/flux-2',
  'fal-ai/flux-2-pro',
  'fal-ai/nano-banana',
  'fal-ai/nano-banana-pro',
  'fal-ai/imagen4/preview',
  'fal-ai/imagen4/preview/fast',
  'fal-ai/imagen4/preview/ultra',
  'fal-ai/ideogram/v2',
  'fal-ai/ideogram/v2/turbo',
  'fal-ai/ideogram/v3',
  'fal-ai/bytedance/seedream/v4/text-to-image',
  'fal-ai/seedream-v4',
  'fal-ai/recraft/v3/text-to-image',
  'fal-ai/recraft-v3',
  'fal-ai/qwen-image',
  'fal-ai/hidream-i1-full',
  'fal-ai/stable-diffusion-v35-large',
  'bria/text-to-image/3.2',
]

const ratios = ['1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3', '4:5', '5:4', '21:9']
const sizes = ['1024x1024', '1536x1024', '1024x1536', '1024x768']
const input = { kind: 'url', url: 'https://images.test/first.png' } as const

const wishes: readonly { wish: string; task: Partial<ImageTask> }[] = [
  ...ratios.map((aspectRatio) => ({ wish: aspectRatio, task: { aspectRatio } })),
  ...sizes.map((size) => ({ wish: size, task: { size: sizeIn(size) } })),
  { wish: 'quality', task: { quality: 'high' } },
  { wish: 'two images', task: { count: 2 } },
  { wish: 'edit', task: { inputs: [input] } },
]

function sizeIn(text: string): { width: number; height: number } {
  const [width = 0, height = 0] = text.split('x').map(Number)
  return { width, height }
}

/** Images: model × ratio, size and option. */
export function imageBodies(): TypedBody[] {
  return [
    ...falApps.flatMap((model) => drawn({ provider: 'fal', model }, ({ path }) => falType(path.slice(1)))),
    ...['gpt-image-1', 'gpt-image-1-mini'].flatMap((model) =>
      drawn({ provider: 'openai', model }, () => openAiType('ImageGenerateParams')),
    ),
    ...['black-forest-labs/FLUX.1-schnell', 'google/imagen-4.0-ultra'].flatMap((model) =>
      drawn({ provider: 'together', model }, () => togetherType('ImageGenerateParams')),
    ),
  ]
}

function drawn(asked: Asked, typeFor: Order['typeFor']): TypedBody[] {
  return wishes.flatMap(({ wish, task }) =>
    bodyOf({
      asked,
      capability: wish === 'edit' ? 'edits' : 'images',
      wish,
      typeFor,
      build: () => firstRequest(codecOf(asked, 'image').converse(imageTask(task), targetOf(asked))),
    }),
  )
}
