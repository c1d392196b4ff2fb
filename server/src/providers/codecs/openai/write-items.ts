import type { MediaJson } from '#domain/media/media-json.ts'
import type { EmbeddingInput, EmbeddingPart } from '#domain/media/media-task.ts'
import type { ExchangeScript } from '../exchange-script.ts'
import { imageData } from '../embedding/image-data.ts'
import { partsOf } from '../embedding/texts-of.ts'
import { plainInputs, type WriteInputs } from './embeddings.ts'

/** For upstreams that accept items of text and images in the format that our clients send. */
export function* writeItems(inputs: readonly EmbeddingInput[]): ReturnType<WriteInputs> {
  if (inputs.every(({ kind }) => kind !== 'parts')) return plainInputs(inputs)
  const items: MediaJson[] = []
  for (const input of inputs) {
    const content: MediaJson[] = []
    for (const part of partsOf(input)) content.push(yield* writePart(part))
    items.push({ content })
  }
  return { input: items }
}

export function* writePart(part: EmbeddingPart): ExchangeScript<MediaJson> {
  if (part.kind === 'text') return { type: 'text', text: part.text }
  const url = part.image.kind === 'url' ? part.image.url : (yield* imageData(part.image)).uri
  return { type: 'image_url', image_url: { url } }
}
