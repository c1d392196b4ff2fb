import { Type } from 'typebox'
import { moderationsDialect } from '#dialects/moderations/moderations-dialect.ts'
import { moderationInputsMax } from '#dialects/moderations/parse-moderation.ts'
import type { InferenceEndpoint } from './inference-endpoint.ts'
import { ownKeyCost } from './schemas/own-key-cost.ts'
import { providerPreferences } from './schemas/routing-fields.ts'
import { closed, count, orNull, sent, settledCost, text } from './schemas/shapes.ts'

const part = Type.Union([
  sent('ModerationTextPart', { type: Type.Literal('text'), text: Type.String() }),
  sent('ModerationImagePart', {
    type: Type.Literal('image_url'),
    image_url: sent('ModerationImageUrl', { url: text('HTTPS URL or data URI of the image.') }),
  }),
])

export const moderationsEndpoint: InferenceEndpoint = {
  dialect: moderationsDialect,
  acceptsApiKeyHeader: false,
  access: 'models.call',
  name: 'createModeration',
  paths: ['/v1/moderations'],
  summary: 'Check content with a moderation model',
  description: 'Judges texts, and images if the model accepts them. Never streams.',
  body: Type.Object(
    {
      model: Type.Optional(
        text(
          'ID of a moderation model, by default `openai/omni-moderation-latest`. List moderation models with `GET /v1/models?output_modalities=moderation`.',
        ),
      ),
      input: Type.Union(
        [Type.String(), Type.Array(Type.Union([Type.String(), part]), { minItems: 1, maxItems: moderationInputsMax })],
        {
          description:
            'Content to check: a string, an array of strings with a result each, or an array of text and image parts with one result.',
        },
      ),
      provider: Type.Optional(providerPreferences),
    },
    { additionalProperties: true },
  ),
  example: { model: 'test/moderation', input: 'A weir in the fog' },
  reply: closed('ModerationReply', {
    id: text('The generation id, also in the header X-Generation-Id.'),
    model: Type.String(),
    results: Type.Array(
      closed('ModerationResult', {
        flagged: Type.Boolean(),
        categories: Type.Record(Type.String(), orNull(Type.Boolean()), {
          description: 'Whether each category applies. The categories are those of the model.',
        }),
        category_scores: Type.Record(Type.String(), orNull(Type.Number())),
        category_applied_input_types: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
      }),
    ),
    usage: closed('ModerationUsage', {
      prompt_tokens: count(),
      total_tokens: count(),
      cost: settledCost,
      ...ownKeyCost,
    }),
  }),
  errors: ['invalidImageUrl', 'invalidImageType', 'inputImagesNotSupported'],
}
