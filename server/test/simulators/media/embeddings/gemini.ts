import { type JsonObject, objectAt } from '#lib/json.ts'
import type { MediaHandler } from '../../start-media-upstream.ts'
import { lengthOf, objectsAt, seedOf, tokensIn, vectorFor } from './vectors.ts'

const imageTokens = 258

/** `:batchEmbedContents`, where only the newer models count tokens, and `:countTokens`. */
export const gemini: MediaHandler = ({ path, json }) => {
  const [, model = '', action] = /\/models\/([^:]+):(\w+)$/.exec(path) ?? []
  if (action === 'countTokens') {
    const counts = countsOf(objectsAt(json, 'contents'))
    return { body: { totalTokens: counts.total, promptTokensDetails: counts.details } }
  }
  if (action !== 'batchEmbedContents') return refusal(404, `${model} is not found for API version v1`, 'NOT_FOUND')
  const requests = objectsAt(json, 'requests')
  if (requests.length > 100) {
    return refusal(
      400,
      '* BatchEmbedContentsRequest.requests: at most 100 requests can be in one batch\n',
      'INVALID_ARGUMENT',
    )
  }
  const contents = requests.map((request) => objectAt(request, 'content'))
  const embeddings = requests.map((request, index) => ({
    values: vectorFor(seedOf(contents[index]?.['parts']), lengthOf(request, 'outputDimensionality')),
  }))
  const { total, details } = countsOf(contents)
  const usage = { usageMetadata: { promptTokenCount: total, promptTokensDetails: details } }
  return { body: { embeddings, ...(model.includes('embedding-2') ? usage : {}) } }
}

function countsOf(contents: readonly JsonObject[]) {
  const parts = contents.flatMap((content) => objectsAt(content, 'parts'))
  const text = parts.reduce((sum, part) => sum + tokensIn(part.text), 0)
  const image = parts.filter(({ inlineData }) => inlineData !== undefined).length * imageTokens
  return {
    total: text + image,
    details: [{ modality: 'TEXT', tokenCount: text }, ...(image > 0 ? [{ modality: 'IMAGE', tokenCount: image }] : [])],
  }
}

function refusal(code: number, message: string, status: string) {
  return { status: code, body: { error: { code, message, status } } }
}
