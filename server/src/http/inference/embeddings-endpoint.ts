import { Type } from 'typebox'
import { embeddingsDialect } from '#dialects/embeddings/embeddings-dialect.ts'
import { tokenIdsMax } from '#dialects/embeddings/read-inputs.ts'
import type { InferenceEndpoint } from './inference-endpoint.ts'

const open = { additionalProperties: true } as const

const item = Type.Object(
  { content: Type.Array(Type.Unknown(), { description: 'Parts of type "text" and "image_url".' }) },
  open,
)

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
      provider: Type.Optional(Type.Object({}, { ...open, description: 'Routing preferences, as on chat.' })),
    },
    open,
  ),
  reply: Type.Object({
    object: Type.Literal('list'),
    data: Type.Array(
      Type.Object({
        object: Type.Literal('embedding'),
        index: Type.Integer(),
        embedding: Type.Union([Type.Array(Type.Number()), Type.String()]),
      }),
    ),
    model: Type.String(),
    usage: Type.Object(
      {
        prompt_tokens: Type.Integer(),
        total_tokens: Type.Integer(),
        cost: Type.Number({ description: 'USD, settled before it is shown; at most nine decimals.' }),
      },
      open,
    ),
  }),
  errors: ['invalidImageUrl', 'invalidImageType', 'inputImagesNotSupported', 'tooManyImages', 'sessionQuotaUsed'],
}
