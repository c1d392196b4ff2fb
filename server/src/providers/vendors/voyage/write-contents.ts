import type { MediaJson } from '#domain/media/media-json.ts'
import type { EmbeddingInput, EmbeddingPart } from '#domain/media/media-task.ts'
import type { ExchangeScript } from '#providers/codecs/exchange-script.ts'
import { imageData } from '#providers/codecs/embedding/image-data.ts'
import { partsOf } from '#providers/codecs/embedding/texts-of.ts'

/** Writes texts and images. The images of one request must all be URLs or all be base64. */
export function* writeContents(inputs: readonly EmbeddingInput[]): ExchangeScript<MediaJson[]> {
  const contents = inputs.map(partsOf)
  const areAddresses = contents.flat().every((part) => part.kind === 'text' || part.image.kind === 'url')
  const written: MediaJson[] = []
  for (const parts of contents) {
    const content: MediaJson[] = []
    for (const part of parts) content.push(yield* writePart(part, areAddresses))
    written.push({ content })
  }
  return written
}

function* writePart(part: EmbeddingPart, areAddresses: boolean): ExchangeScript<MediaJson> {
  if (part.kind === 'text') return { type: 'text', text: part.text }
  if (areAddresses && part.image.kind === 'url') return { type: 'image_url', image_url: part.image.url }
  return { type: 'image_base64', image_base64: (yield* imageData(part.image)).uri }
}
