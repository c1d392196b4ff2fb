import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import type { MediaHandler } from '../../start-media-upstream.ts'

/** OpenAI's moderations: violence is what contains the word. It counts nothing. */
export const moderationUpstream: MediaHandler = ({ json }) => ({
  body: { id: 'modr-1', model: json.model, results: textsIn(json.input).map(judged) },
})

/** Mistral's moderations: without `flagged`, with categories of its own, and a token for each word. */
export const mistralModerationUpstream: MediaHandler = ({ json }) => {
  const texts = textsIn(json.input)
  const tokens = texts.reduce((sum, text) => sum + text.split(' ').length, 0)
  const results = texts.map((text) => ({
    categories: { violence_and_threats: text.includes('violence'), pii: false },
    category_scores: { violence_and_threats: text.includes('violence') ? 0.9 : 0.1, pii: 0.01 },
  }))
  const usage = { prompt_tokens: tokens, total_tokens: tokens + 89, completion_tokens: 0, request_count: 1 }
  return { body: { id: 'modr-1', model: json.model, results, usage } }
}

function textsIn(input: JsonValue | undefined): string[] {
  const items = Array.isArray(input) ? input : [input ?? '']
  if (items.every((item) => typeof item === 'string')) return items
  return [items.map((item) => (isJsonObject(item) && typeof item.text === 'string' ? item.text : '')).join(' ')]
}

function judged(text: string): JsonObject {
  const isViolent = text.includes('violence')
  return {
    flagged: isViolent,
    categories: { violence: isViolent, illicit: null },
    category_scores: { violence: isViolent ? 0.9 : 0.1, illicit: 0 },
    category_applied_input_types: { violence: isViolent ? ['text'] : [], illicit: [] },
  }
}
