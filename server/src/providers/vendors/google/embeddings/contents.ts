import type { Usage } from '#domain/inference/usage.ts'
import type { MediaJson } from '#domain/media/media-json.ts'
import type { EmbeddingInput, EmbeddingTask } from '#domain/media/media-task.ts'
import { countAt, isJsonObject, type JsonObject } from '#lib/json.ts'
import type { ExchangeScript } from '#providers/codecs/exchange-script.ts'
import { inputUsage } from '#providers/codecs/embedding/add-usage.ts'
import { imageData } from '#providers/codecs/embedding/image-data.ts'
import { embeddingFailure } from '#providers/codecs/embedding/read-embedding-failure.ts'
import { retrievalRole } from '#providers/codecs/embedding/retrieval-role.ts'
import { partsOf } from '#providers/codecs/embedding/texts-of.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'
import { readFailure } from '#providers/protocols/gemini/read-failure.ts'

export const failure = embeddingFailure(readFailure)

export function place({ upstreamModel }: MediaTarget, action: string): string {
  return `/models/${encodeURIComponent(upstreamModel)}:${action}`
}

/** The purpose of the inputs, in Google's terms. */
export function taskTypeOf(task: EmbeddingTask): string | undefined {
  return retrievalRole(task, { document: 'RETRIEVAL_DOCUMENT', query: 'RETRIEVAL_QUERY' })
}

export function* writeParts(input: EmbeddingInput): ExchangeScript<MediaJson[]> {
  const parts: MediaJson[] = []
  for (const part of partsOf(input)) {
    if (part.kind === 'text') parts.push({ text: part.text })
    else {
      const { mediaType, base64 } = yield* imageData(part.image)
      parts.push({ inlineData: { mimeType: mediaType, data: base64 } })
    }
  }
  return parts
}

export function imagesIn(batch: readonly EmbeddingInput[]): number {
  return batch.flatMap(partsOf).filter(({ kind }) => kind === 'image').length
}

/**
 * Images are charged per image if the catalogue has such a price, otherwise by their tokens, and only if image and text
 * tokens are reported separately.
 */
export function readUsage(counts: JsonObject, field: 'promptTokenCount' | 'totalTokens', images: number): Usage | null {
  const total = countAt(counts, field)
  if (total === undefined) return null
  const details = counts.promptTokensDetails ?? counts.promptTokenDetails
  const ofText = (Array.isArray(details) ? details : []).filter(isJsonObject).find(isOfText)
  if (images === 0 || ofText === undefined) return inputUsage(total)
  const text = Math.min(countAt(ofText, 'tokenCount') ?? 0, total)
  return inputUsage(text, { inputImages: images, inputImageTokens: total - text })
}

function isOfText({ modality }: JsonObject): boolean {
  return modality === 'TEXT'
}
