import { Type } from 'typebox'
import { documentsMax } from '#dialects/rerank/parse-rerank.ts'
import { rerankDialect } from '#dialects/rerank/rerank-dialect.ts'
import type { InferenceEndpoint } from './inference-endpoint.ts'
import { ownKeyCost } from './schemas/own-key-cost.ts'
import { providerPreferences } from './schemas/routing-fields.ts'
import { closed, count, sent, settledCost, text } from './schemas/shapes.ts'

export const rerankEndpoint: InferenceEndpoint = {
  dialect: rerankDialect,
  acceptsApiKeyHeader: false,
  access: 'models.call',
  name: 'createRerank',
  paths: ['/v1/rerank', '/v2/rerank'],
  summary: 'Rank documents by relevance to a query',
  description:
    "Accepts the bodies of Cohere's and Jina's rerank APIs. Cohere's SDK calls `/v2/rerank`; both paths do the same. Never streams.",
  body: Type.Object(
    {
      model: Type.String({
        description: 'ID of a rerank model. List rerank models with `GET /v1/models?output_modalities=rerank`.',
      }),
      query: Type.String({ minLength: 1 }),
      documents: Type.Array(Type.Union([Type.String(), sent('RerankDocument', { text: Type.String() })]), {
        minItems: 1,
        maxItems: documentsMax,
        description: 'Documents to rank, as strings or as objects with `text`.',
      }),
      top_n: Type.Optional(
        Type.Integer({ minimum: 1, description: 'Number of results to return. Defaults to all documents.' }),
      ),
      max_tokens_per_doc: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: 'Number of tokens after which a document is cut, for providers that support it.',
        }),
      ),
      return_documents: Type.Optional(
        Type.Boolean({ description: 'Whether each result repeats its document. Defaults to false.' }),
      ),
      provider: Type.Optional(providerPreferences),
    },
    { additionalProperties: true },
  ),
  example: { model: 'test/rerank', query: 'a mill', documents: ['A weir in the fog', 'A mill by the river'] },
  reply: closed('RerankReply', {
    object: Type.Literal('list'),
    id: text('The generation id, also in the header X-Generation-Id.'),
    model: Type.String(),
    results: Type.Array(
      closed('RerankResult', {
        index: Type.Integer({ description: 'Position of the document in the request.' }),
        relevance_score: Type.Number({ description: 'The most relevant document comes first.' }),
        document: Type.Optional(closed('RerankedDocument', { text: Type.String() })),
      }),
    ),
    meta: closed('RerankMeta', {
      billed_units: closed('RerankBilledUnits', { search_units: count('Queries over up to 100 documents.') }),
    }),
    usage: closed('RerankUsage', {
      prompt_tokens: count(),
      total_tokens: count(),
      search_units: count(),
      cost: settledCost,
      ...ownKeyCost,
    }),
  }),
}
