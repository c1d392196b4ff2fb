import { promptTokensOf } from '#domain/inference/usage.ts'
import { base64ToFloats, floatsToBase64, NumbersText, type Vector } from '#domain/media/float-vectors.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject } from '#lib/json.ts'
import { costDetails } from '../cost-details.ts'
import type { Charged, MediaContext, RenderedDocument, RenderedResult } from '../dialect.ts'

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
      const data = result.vectors.map(
        (vector, index) => `{"object":"embedding","index":${index},"embedding":${inForm(vector, task.encoding)}}`,
      )
      const end = JSON.stringify({ model, usage: usageOf(charged) }).slice(1)
      return `{"object":"list","data":[${data.join(',')}],${end}`
    },
  }
}

/** As JSON. Forms that only an upstream knows are left as it made them. */
function inForm(vector: Vector, encoding: string | null): string {
  const isText = typeof vector === 'string'
  if (encoding === 'base64') return JSON.stringify(isText ? vector : floatsToBase64(numbersOf(vector)))
  const wantsNumbers = encoding === null || encoding === 'float'
  if (isText) return JSON.stringify(wantsNumbers ? base64ToFloats(vector) : vector)
  return vector instanceof NumbersText ? vector.json : JSON.stringify(vector)
}

function numbersOf(vector: Exclude<Vector, string>): readonly number[] {
  return vector instanceof NumbersText ? vector.toNumbers() : vector
}

function usageOf(charged: Charged | null): JsonObject {
  if (charged === null) return { prompt_tokens: 0, total_tokens: 0, cost: 0 }
  const { usage, cost, upstreamCost } = charged
  const tokens = promptTokensOf(usage)
  return { prompt_tokens: tokens, total_tokens: tokens, cost: usdJson(cost), ...costDetails(upstreamCost) }
}
