import { Type } from 'typebox'
import { embeddingsDialect } from '#dialects/embeddings/embeddings-dialect.ts'
import { tokenIdsMax } from '#dialects/embeddings/read-inputs.ts'
import type { InferenceEndpoint } from './inference-endpoint.ts'
import { ownKeyCost } from './schemas/own-key-cost.ts'
import { providerPreferences } from './schemas/routing-fields.ts'
import { closed, count, sent, settledCost, text } from './schemas/shapes.ts'

const item = sent('EmbeddingsItem', {
  content: Type.Array(
    Type.Union([
      sent('EmbeddingsTextPart', { type: Type.Literal('text'), text: Type.String() }),
      sent('EmbeddingsImagePart', {
        type: Type.Literal('image_url'),
        image_url: sent('EmbeddingsImageUrl', { url: text('An https URL or a data URI.') }),
      }),
    ]),
  ),
})

export const embeddingsEndpoint: InferenceEndpoint = {
  dialect: embeddingsDialect,
  acceptsApiKeyHeader: false,
  access: 'models.chat',
  name: 'createEmbeddings',
  paths: ['/v1/embeddings'],
  summary: 'Turn texts, and images where the model reads them, into vectors; never streams',
  // Some numbers may stand beside the token ids.
  numbersMax: tokenIdsMax + 100,
  body: Type.Object(
    {
      model: Type.String(),
      input: Type.Union(
        [
          Type.String(),
          Type.Array(Type.Union([Type.String(), Type.Integer(), Type.Array(Type.Integer()), item]), {
            maxItems: 2_048,
          }),
        ],
        { description: 'A text, a list of texts, token ids, or items of text and images.' },
      ),
      dimensions: Type.Optional(Type.Integer({ minimum: 1, description: 'For models of variable length.' })),
      encoding_format: Type.Optional(
        Type.String({ description: '`float` (default) or `base64` of little-endian 32-bit floats.' }),
      ),
      input_type: Type.Optional(
        Type.String({
          description: 'What the inputs are for, such as `document` or `query`, where the host wants to know.',
        }),
      ),
      provider: Type.Optional(providerPreferences),
    },
    { additionalProperties: true },
  ),
  example: { model: 'test/embedding', input: ['A weir in the fog', 'A mill by the river'] },
  reply: closed('EmbeddingsReply', {
    object: Type.Literal('list'),
    data: Type.Array(
      closed('Embedding', {
        object: Type.Literal('embedding'),
        index: Type.Integer(),
        embedding: Type.Union([Type.Array(Type.Number()), Type.String()], {
          description: 'Numbers, or base64 of little-endian 32-bit floats.',
        }),
      }),
    ),
    model: Type.String(),
    usage: closed('EmbeddingsUsage', {
      prompt_tokens: count(),
      total_tokens: count(),
      cost: settledCost,
      ...ownKeyCost,
    }),
  }),
  errors: ['invalidImageUrl', 'invalidImageType', 'inputImagesNotSupported', 'tooManyImages', 'sessionQuotaUsed'],
}
