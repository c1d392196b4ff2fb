import type { RerankTask } from '#domain/media/media-task.ts'
import { rerankPrompt, worstRerank } from '#domain/media/worst-rerank.ts'
import { malformed } from '#errors/malformed.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import type { DialectCall } from '../dialect.ts'
import { extrasOf, missingField, readModelName } from '../media-fields.ts'

/** The most documents of a request. Cohere recommends at most a thousand. */
export const documentsMax = 1_000

/** Rejects requests that no upstream could serve. `stream` is ignored, because there is nothing to stream. */
export function parseRerank(body: JsonObject): DialectCall {
  const modelName = readModelName(body)
  const task: RerankTask = {
    kind: 'rerank',
    query: queryOf(body.query),
    documents: documentsOf(body.documents),
    top: countOf(body, 'top_n'),
    documentTokensMax: countOf(body, 'max_tokens_per_doc'),
    returnsDocuments: flagOf(body, 'return_documents'),
    extras: extrasOf(body, readFields),
  }
  return {
    modelName,
    stream: false,
    maxTokens: 0,
    choiceCount: 1,
    hasTools: false,
    ...rerankPrompt(task),
    body,
    media: { task, ...worstRerank(task) },
  }
}

const readFields = new Set(['query', 'documents', 'top_n', 'max_tokens_per_doc', 'return_documents', 'rank_fields'])

function queryOf(query: JsonValue | undefined): string {
  if (query === undefined || query === null) throw missingField('query')
  if (typeof query === 'string' && query !== '') return query
  throw malformed('`query` must be a string of at least one character.')
}

function documentsOf(documents: JsonValue | undefined): readonly string[] {
  if (documents === undefined || documents === null) {
    throw missingField('documents', ' It is an array of strings, or of objects with `text`.')
  }
  if (!Array.isArray(documents) || documents.length === 0) {
    throw malformed('`documents` must be an array of at least one string, or object with `text`.')
  }
  if (documents.length > documentsMax) {
    throw malformed(`\`documents\` has ${documents.length} entries; send at most ${documentsMax} in one request.`)
  }
  return documents.map((document, index) => {
    const text = isJsonObject(document) ? document.text : document
    if (typeof text === 'string') return text
    throw malformed(`documents[${index}] must be a string or an object with \`text\`. Other fields can't be ranked.`)
  })
}

function countOf(body: JsonObject, field: 'top_n' | 'max_tokens_per_doc'): number | null {
  const value = body[field]
  if (value === undefined || value === null) return null
  if (Number.isSafeInteger(value) && Number(value) > 0) return Number(value)
  throw malformed(`\`${field}\` must be a positive integer.`)
}

function flagOf(body: JsonObject, field: 'return_documents'): boolean {
  const value = body[field]
  if (value === undefined || value === null || typeof value === 'boolean') return value === true
  throw malformed(`\`${field}\` must be true or false.`)
}
