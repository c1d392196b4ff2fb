import type { MediaJson } from '#domain/media/media-json.ts'
import type { EmbeddingInput, EmbeddingTask } from '#domain/media/media-task.ts'
import type { ExchangeScript } from '../exchange-script.ts'
import { imageData } from './image-data.ts'
import { retrievalRole } from './retrieval-role.ts'
import { partsOf, textsOf } from './texts-of.ts'

interface CohereHabits {
  readonly upstreamModel: string
  /** How the host wants an image among other parts. */
  readonly imageUrl: (uri: MediaJson) => MediaJson
}

/** How many inputs Cohere's models take at once: many texts, but before the fourth generation one image. */
export function cohereInputsMax({ inputs }: EmbeddingTask, { upstreamModel }: CohereHabits): number {
  return hasImages(inputs) && isOlder(upstreamModel) ? 1 : inputsMax
}

const inputsMax = 96

/** What Cohere's models are told, whichever host serves them. They must be told what texts are for. */
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

/** Models before the fourth take an image alone, and in a field of its own. */
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
