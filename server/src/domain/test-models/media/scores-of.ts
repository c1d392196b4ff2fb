import type { JsonObject } from '#lib/json.ts'
import { usualDimensions, vectorOf } from './vectors-of.ts'

const charactersPerToken = 4

/** The documents in their order, each with the cosine of its angle to the query: 0 for no common word, at most 1. */
export function scoresOf({ query, documents }: JsonObject): JsonObject {
  const asked = String(query ?? '')
  const wanted = vectorOf(asked, usualDimensions)
  const texts = Array.isArray(documents) ? documents.map(String) : []
  const results = texts.map((text, index) => {
    const vector = vectorOf(text, usualDimensions)
    const product = vector.reduce((sum, number, at) => sum + number * (wanted[at] ?? 0), 0)
    return { index, relevance_score: Math.min(1, Math.max(0, product)) }
  })
  const tokens = texts.reduce((sum, text) => sum + Math.ceil((asked.length + text.length) / charactersPerToken), 0)
  return { results, usage: { prompt_tokens: tokens, total_tokens: tokens } }
}
