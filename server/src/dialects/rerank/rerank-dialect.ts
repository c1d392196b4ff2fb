import type { Model } from '#domain/catalogue/model.ts'
import { promptTokensOf } from '#domain/inference/usage.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import { errorBody, GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { costDetails } from '../cost-details.ts'
import type { Charged, DialectCall, MediaContext, MediaDialect, RenderedDocument, RenderedResult } from '../dialect.ts'
import { changeText } from '../texts/change-content.ts'
import { changeItems, changeMember } from '../texts/change-member.ts'
import { textAccess } from '../texts/text-access.ts'
import { parseRerank } from './parse-rerank.ts'

/** Cohere's Rerank, with Jina's `return_documents`, and a response that clients of both can read. */
export const rerankDialect: MediaDialect = {
  family: 'media',
  name: 'rerank',
  parse: parseRerank,
  refuseUnfit: refuseUnfitModel,
  ...textAccess((body, change) =>
    changeMember(
      changeMember(body, 'query', (query) => changeText(query, change)),
      'documents',
      (documents) =>
        changeItems(documents, (document) =>
          isJsonObject(document)
            ? changeMember(document, 'text', (text) => changeText(text, change))
            : changeText(document, change),
        ),
    ),
  ),
  render: renderScores,
  failFrames: () => null,
  keepAlive: null,
  errorBody: (error) => JSON.stringify(errorBody(error)),
}

function refuseUnfitModel(_call: DialectCall, model: Model): void {
  if (model.outputModalities.includes('rerank')) return
  throw new GatewayError('modelEndpointMismatch', {
    message: `"${model.id}" is not a rerank model. GET /v1/models?output_modalities=rerank lists rerank models.`,
  })
}

function renderScores(
  result: RenderedResult,
  charged: Charged | null,
  { id, model, task }: MediaContext,
): RenderedDocument {
  assert(result.kind === 'rerank' && task.kind === 'rerank', 'documents are answered with scores')
  const { documents, returnsDocuments } = task
  const results = result.scores.map(({ index, score }) => ({
    index,
    relevance_score: score,
    ...(returnsDocuments ? { document: { text: documents[index] ?? '' } } : {}),
  }))
  const searchUnits = charged?.usage.media?.searchUnits ?? 0
  return {
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify({
      object: 'list',
      id,
      model,
      results,
      meta: { billed_units: { search_units: searchUnits } },
      usage: usageJson(charged, searchUnits),
    }),
  }
}

function usageJson(charged: Charged | null, searchUnits: number): JsonObject {
  if (charged === null) return { prompt_tokens: 0, total_tokens: 0, search_units: 0, cost: 0 }
  const { usage, cost, upstreamCost } = charged
  const tokens = promptTokensOf(usage)
  const counts = { prompt_tokens: tokens, total_tokens: tokens, search_units: searchUnits }
  return { ...counts, cost: usdJson(cost), ...costDetails(upstreamCost) }
}
