import { FileText, type MediaJson } from '#domain/media/media-json.ts'
import type { EmbeddingInput } from '#domain/media/media-task.ts'
import { assert } from '#lib/assert.ts'
import type { ExchangeScript } from '#providers/codecs/exchange-script.ts'
import { imageData } from '#providers/codecs/embedding/image-data.ts'
import { partsOf, textsOf } from '#providers/codecs/embedding/texts-of.ts'
import type { WriteInputs } from '#providers/codecs/openai/embeddings.ts'

/** Every input is one text, which may end with an image as a data URI. `modality` says what each contains. */
export function* writeInputs(inputs: readonly EmbeddingInput[]): ReturnType<WriteInputs> {
  if (inputs.every(({ kind }) => kind === 'text')) return { input: textsOf(inputs) }
  const written: MediaJson[] = []
  for (const input of inputs) written.push(yield* writeInput(input))
  return { input: written, modality: inputs.map(modalityOf) }
}

function* writeInput(input: EmbeddingInput): ExchangeScript<MediaJson> {
  let text = ''
  let image: MediaJson = ''
  for (const part of partsOf(input)) {
    if (part.kind === 'text') text += `${part.text} `
    else image = (yield* imageData(part.image)).uri
  }
  if (image === '') return text.trimEnd()
  if (image instanceof FileText) return new FileText(image.file, text + image.prefix)
  assert(typeof image === 'string', 'an image is a file or a text')
  return text + image
}

function modalityOf(input: EmbeddingInput): string {
  const parts = partsOf(input)
  if (parts.every(({ kind }) => kind === 'text')) return 'text'
  return parts.every(({ kind }) => kind === 'image') ? 'image' : 'text_image'
}
