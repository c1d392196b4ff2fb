import { isJsonObject, type JsonObject, objectAt } from '#lib/json.ts'
import type { MediaAnswer, MediaHandler } from '../../start-media-upstream.ts'
import { lengthOf, objectsAt, seedOf, tokensIn, vectorFor } from './vectors.ts'

const imageTokens = 258
const tokensMax = 20_000
const modelForm = /^\/v1\/projects\/[\w-]+\/locations\/[\w-]+\/publishers\/google\/models\/([^:/]+):(\w+)$/

/**
 * Vertex embeddings: `:predict` for texts, and `:embedContent` for Gemini's second generation. Neither accepts unknown
 * fields.
 */
export const vertex: MediaHandler = ({ path, headers, json }) => {
  if (headers.authorization?.startsWith('Bearer ') !== true) {
    return refusal(401, 'Request is missing required authentication credential.', 'UNAUTHENTICATED')
  }
  const [, model = '', action] = modelForm.exec(path) ?? []
  const isOfContents = model.includes('gemini-embedding-2')
  if (action === 'predict' && !isOfContents) return predict(model, json)
  if (action === 'embedContent' && isOfContents) return embedContent(json)
  return refusal(404, `Publisher Model \`publishers/google/models/${model}\` not found.`, 'NOT_FOUND')
}

function predict(model: string, json: JsonObject): MediaAnswer {
  const instances = objectsAt(json, 'instances')
  const parameters = objectAt(json, 'parameters')
  const unknown =
    unknownName(json, ['instances', 'parameters']) ??
    unknownName(parameters, ['outputDimensionality', 'autoTruncate']) ??
    instances.map((instance) => unknownName(instance, ['content', 'task_type', 'title'])).find(isText)
  if (unknown !== undefined) return unknownRefusal(unknown)
  const most = model === 'gemini-embedding-001' ? 1 : 250
  const counts = instances.map(({ content }) => tokensIn(content))
  if (instances.length > most || counts.reduce((sum, count) => sum + count, 0) > tokensMax) {
    return refusal(
      400,
      `Unable to submit request because the input token count or batch size exceeds ${most}.`,
      'INVALID_ARGUMENT',
    )
  }
  const predictions = instances.map(({ content }, index) => ({
    embeddings: {
      values: vectorFor(seedOf(content), lengthOf(parameters, 'outputDimensionality')),
      statistics: { truncated: false, token_count: counts[index] },
    },
  }))
  return { body: { predictions, metadata: { billableCharacterCount: 9 } } }
}

function embedContent(json: JsonObject): MediaAnswer {
  const config = objectAt(json, 'embedContentConfig')
  const unknown =
    unknownName(json, ['content', 'embedContentConfig']) ??
    unknownName(config, [
      'taskType',
      'title',
      'outputDimensionality',
      'autoTruncate',
      'documentOcr',
      'audioTrackExtraction',
    ])
  if (unknown !== undefined) return unknownRefusal(unknown)
  const parts = objectsAt(objectAt(json, 'content'), 'parts')
  const text = parts.reduce((sum, part) => sum + tokensIn(part.text), 0)
  const image = parts.filter(({ inlineData }) => isJsonObject(inlineData)).length * imageTokens
  const promptTokensDetails = [
    { modality: 'TEXT', tokenCount: text },
    ...(image > 0 ? [{ modality: 'IMAGE', tokenCount: image }] : []),
  ]
  const values = vectorFor(seedOf(parts), lengthOf(config, 'outputDimensionality'))
  return {
    body: {
      embedding: { values },
      usageMetadata: { promptTokenCount: text + image, promptTokensDetails },
      truncated: false,
    },
  }
}

function unknownName(json: JsonObject, known: readonly string[]): string | undefined {
  return Object.keys(json).find((name) => !known.includes(name))
}

function isText(value: string | undefined): value is string {
  return value !== undefined
}

function unknownRefusal(name: string): MediaAnswer {
  return refusal(400, `Invalid JSON payload received. Unknown name "${name}": Cannot find field.`, 'INVALID_ARGUMENT')
}

function refusal(code: number, message: string, status: string): MediaAnswer {
  return { status: code, body: { error: { code, message, status } } }
}
