import type { MediaJson } from '#domain/media/media-json.ts'
import type { EmbeddingInput, EmbeddingTask } from '#domain/media/media-task.ts'
import type { ExchangeScript } from '../exchange-script.ts'
import { imageData } from './image-data.ts'
import { retrievalRole } from './retrieval-role.ts'
import { partsOf, textsOf } from './texts-of.ts'

interface CohereHabits {
  readonly upstreamModel: string
  /** Writes an image in the upstream's format, as one of several parts. */
  readonly imageUrl: (uri: MediaJson) => MediaJson
}

/** How many inputs Cohere's models accept per request: many texts, but one image before the fourth generation. */
export function cohereInputsMax({ inputs }: EmbeddingTask, { upstreamModel }: CohereHabits): number {
  return hasImages(inputs) && isOlder(upstreamModel) ? 1 : inputsMax
}

const inputsMax = 96

/** The fields of Cohere's models, at every upstream. The purpose of texts is required. */
export function* cohereFields(
  task: EmbeddingTask,
  batch: readonly EmbeddingInput[],
  habits: CohereHabits,
): ExchangeScript<{ [field: string]: MediaJson }> {
  return {
    input_type: retrievalRole(task, { document: 'search_document', query: 'search_query' }) ?? 'search_document',
    embedding_types: ['float'],
    ...(task.dimensions === null ? {} : { output_dimension: task.dimensions }),
    ...(task.extras.truncate === undefined ? {} : { truncate: task.extras.truncate }),
    ...(yield* writeInputs(batch, habits)),
  }
}

function hasImages(inputs: readonly EmbeddingInput[]): boolean {
  return inputs.some(({ kind }) => kind === 'parts')
}

/** Models before the fourth generation accept an image only alone, in its own field. */
function isOlder(upstreamModel: string): boolean {
  return /-v[23]\b/.test(upstreamModel)
}

function* writeInputs(
  inputs: readonly EmbeddingInput[],
  { upstreamModel, imageUrl }: CohereHabits,
): ExchangeScript<{ [field: string]: MediaJson }> {
  if (!hasImages(inputs)) return { texts: textsOf(inputs) }
  const [only, ...others] = inputs.flatMap(partsOf)
  if (isOlder(upstreamModel) && others.length === 0 && only?.kind === 'image') {
    return { input_type: 'image', images: [(yield* imageData(only.image)).uri] }
  }
  const items: MediaJson[] = []
  for (const input of inputs) {
    const content: MediaJson[] = []
    for (const part of partsOf(input)) {
      content.push(
        part.kind === 'text'
          ? { type: 'text', text: part.text }
          : { type: 'image_url', image_url: imageUrl((yield* imageData(part.image)).uri) },
      )
    }
    items.push({ content })
  }
  return { inputs: items }
}
