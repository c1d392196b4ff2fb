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
  created: Type.Integer({ description: 'When the images were created, in Unix seconds.' }),
  data: Type.Array(
    closed('MadeImage', {
      url: text('Image URL under `/v1/images/proxy/`. Valid for one hour; no API key is required.'),
    }),
  ),
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
    closed(
      'ImagesImageEvent',
      placed,
      'In an `image` event, `url` points to the upstream; in an `image-cached` event, it points to Weir.',
    ),
    errorSchema,
    closed('ImagesEmptyEvent', {}, 'Empty data of `heartbeat` and `done` events.'),
  ],
  'Data of one event. The `event:` line names the event: `heartbeat`, `image`, `image-cached`, `usage`, `done`, or `error`.',
)
