import { Type } from 'typebox'
import { embeddingsDialect } from '#dialects/embeddings/embeddings-dialect.ts'
import { tokenIdsMax } from '#dialects/embeddings/read-inputs.ts'
import type { InferenceEndpoint } from './inference-endpoint.ts'
import { ownKeyCost } from './schemas/own-key-cost.ts'
import { cacheWish, providerPreferences } from './schemas/routing-fields.ts'
import { closed, count, sent, settledCost, text } from './schemas/shapes.ts'

const item = sent('EmbeddingsItem', {
  content: Type.Array(
    Type.Union([
      sent('EmbeddingsTextPart', { type: Type.Literal('text'), text: Type.String() }),
      sent('EmbeddingsImagePart', {
        type: Type.Literal('image_url'),
        image_url: sent('EmbeddingsImageUrl', { url: text('HTTPS URL or data URI of the image.') }),
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
  summary: 'Create embeddings',
  description: 'Turns text into vectors, and images if the model accepts them. Never streams.',
  // A few numbers besides the token ids.
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
        {
          description:
            'Input to embed: a string, an array of strings, token IDs, or items that combine text and images.',
        },
      ),
      dimensions: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: 'Number of dimensions of each embedding, for models that support a variable number.',
        }),
      ),
      encoding_format: Type.Optional(
        Type.String({
          description:
            'Format of the embeddings: `float` (default), or `base64` for base64-encoded little-endian 32-bit floats.',
        }),
      ),
      input_type: Type.Optional(
        Type.String({
          description: 'Purpose of the input, such as `document` or `query`, for providers that distinguish them.',
        }),
      ),
      provider: Type.Optional(providerPreferences),
      cache: Type.Optional(cacheWish),
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
          description: 'The embedding, as an array of numbers or as a base64 string of little-endian 32-bit floats.',
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
