import type { JsonObject, JsonValue } from '#lib/json.ts'
import type { MediaHandler } from '../../start-media-upstream.ts'

interface RerankStyle {
  /** Where this upstream expects requests. */
  readonly path?: string
  readonly topField?: 'top_n' | 'top_k'
  readonly listField?: 'results' | 'data'
  /** What it counts, besides the list. */
  readonly counts?: (tokens: number, documents: number) => JsonObject
}

const usual = (tokens: number): JsonObject => ({ usage: { prompt_tokens: tokens, total_tokens: tokens } })

/** Cohere's own counts. */
export const cohereCounts = (_tokens: number, documents: number): JsonObject => ({
  meta: { api_version: { version: '2' }, billed_units: { search_units: Math.ceil(documents / 100) } },
})

/** Scores each document by its length: the shortest is the most relevant. It counts a token for each word. */
export function rerankUpstream(style: RerankStyle = {}): MediaHandler {
  const { path = '/v1/rerank', topField = 'top_n', listField = 'results', counts = usual } = style
  return ({ path: asked, json }) => {
    if (asked !== path) return { status: 404, body: { detail: 'Not Found' } }
    const documents = Array.isArray(json.documents) ? json.documents : []
    if (documents.some((document) => typeof document !== 'string')) {
      return { status: 422, body: { detail: 'documents must be strings' } }
    }
    const scored = documents.map((document, index) => ({ index, relevance_score: 1 / (1 + lengthOf(document)) }))
    const best = scored.toSorted((one, other) => other.relevance_score - one.relevance_score)
    const top = json[topField]
    const listed = typeof top === 'number' ? best.slice(0, top) : best
    const words = documents.reduce<number>((sum, document) => sum + wordsIn(document) + wordsIn(json.query), 0)
    const shown = listed.map((entry) =>
      json.return_documents === false ? entry : { ...entry, document: { text: documents[entry.index] } },
    )
    return { body: { id: 'rerank-1', model: json.model, [listField]: shown, ...counts(words, documents.length) } }
  }
}

function lengthOf(document: JsonValue): number {
  return typeof document === 'string' ? document.length : 0
}

function wordsIn(text: JsonValue | undefined): number {
  return typeof text === 'string' ? text.split(/\s+/).filter((word) => word !== '').length : 0
}
