import { promptTokensOf } from '#domain/inference/usage.ts'
import { base64ToFloats, floatsToBase64 } from '#domain/media/float-vectors.ts'
import type { EmbeddingResult } from '#domain/media/media-result.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject } from '#lib/json.ts'
import { costDetails } from '../cost-details.ts'
import type { Charged, MediaContext, RenderedDocument, RenderedResult } from '../dialect.ts'

type Vector = EmbeddingResult['vectors'][number]

/** OpenAI's list of embeddings, each in the form that was asked for. */
export function renderEmbeddings(
  result: RenderedResult,
  charged: Charged | null,
  { task, model }: MediaContext,
): RenderedDocument {
  assert(result.kind === 'embedding' && task.kind === 'embedding', 'embeddings are answered with embeddings')
  return {
    contentType: 'application/json; charset=utf-8',
    // Written when it is read: the type alone is asked for as well, and a body may be a hundred megabytes.
    get body() {
      const data = result.vectors.map((vector, index) => ({
        object: 'embedding',
        index,
        embedding: inForm(vector, task.encoding),
      }))
      return JSON.stringify({ object: 'list', data, model, usage: usageOf(charged) })
    },
  }
}

/** Forms that only an upstream knows are left as it made them. */
function inForm(vector: Vector, encoding: string | null): Vector {
  if (encoding === 'base64') return typeof vector === 'string' ? vector : floatsToBase64(vector)
  const wantsNumbers = encoding === null || encoding === 'float'
  return wantsNumbers && typeof vector === 'string' ? base64ToFloats(vector) : vector
}

function usageOf(charged: Charged | null): JsonObject {
  if (charged === null) return { prompt_tokens: 0, total_tokens: 0, cost: 0 }
  const { usage, cost, upstreamCost } = charged
  const tokens = promptTokensOf(usage)
  return { prompt_tokens: tokens, total_tokens: tokens, cost: usdJson(cost), ...costDetails(upstreamCost) }
}
