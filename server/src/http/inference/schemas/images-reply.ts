import { Type } from 'typebox'
import { errorSchema } from '../../openapi/refusals.ts'
import { ownKeyCost } from './own-key-cost.ts'
import { closed, count, oneOf, settledCost, text } from './shapes.ts'

const usage = closed('ImagesUsage', {
  input_tokens: count(),
  output_tokens: count(),
  total_tokens: count(),
  input_tokens_details: closed('ImagesInputTokens', { text_tokens: count(), image_tokens: count() }),
  cost: settledCost,
  ...ownKeyCost,
})

export const imagesReply = closed('ImagesReply', {
  created: Type.Integer({ description: 'Seconds since 1970.' }),
  data: Type.Array(closed('MadeImage', { url: text('Under /v1/images/proxy/, good for one hour, without a key.') })),
  usage: Type.Optional(usage),
})

const placed = { index: Type.Integer(), url: Type.String() }

export const imageEvent = oneOf(
  'ImagesEvent',
  [
    closed('ImagesUsageEvent', {
      promptTokens: count(),
      completionTokens: count(),
      cost: settledCost,
      durationMs: count(),
      imageCount: count(),
    }),
    closed('ImagesImageEvent', placed, 'Of `image`: where its upstream has it. Of `image-cached`: where we have it.'),
    errorSchema,
    closed('ImagesEmptyEvent', {}, 'Of `heartbeat` and `done`.'),
  ],
  'The data of one event: `heartbeat`, `image`, `image-cached`, `usage`, `done` or `error`, named in the `event:` line.',
)
