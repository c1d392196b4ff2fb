import { noUsage } from '#domain/inference/usage.ts'
import type { ImageResult, MadeImage } from '#domain/media/media-result.ts'
import type { ImageTask } from '#domain/media/media-task.ts'
import type { Conversation, Step, StepOutcome } from '../conversation.ts'
import { imageVariant } from './image-variant.ts'

/** What one submit came to. */
export interface Turn {
  readonly images: readonly MadeImage[]
  /** As the upstream charges them; undefined where it does not say, and the images are measured. */
  readonly outputPixels?: number | undefined
  readonly inputPixels?: number | undefined
}

/** One submit after the other, until as many images are asked for as the caller wants. They succeed together or not at all. */
export function* makeInTurns(
  task: ImageTask,
  atOnce: number,
  make: (count: number) => Generator<Step, Turn, StepOutcome>,
): Conversation<ImageResult> {
  const turns: Turn[] = []
  for (let left = task.count; left > 0; left -= atOnce) {
    const count = Math.min(left, atOnce)
    const { images, ...pixels } = yield* make(count)
    // More than were asked for are nobody's, and what they were said to measure says nothing of the others.
    turns.push(images.length > count ? { images: images.slice(0, count) } : { images, ...pixels })
  }
  const images = turns.flatMap((turn) => turn.images)
  const [outputPixels, inputPixels] = [sumOf(turns, 'outputPixels'), sumOf(turns, 'inputPixels')]
  return {
    kind: 'image',
    images,
    text: null,
    usage: {
      ...noUsage,
      media: {
        outputImages: images.length,
        inputImages: task.inputs.length * turns.length,
        ...(outputPixels === null ? {} : { outputPixels }),
        ...(inputPixels === null ? {} : { inputPixels }),
        variant: imageVariant(task),
      },
    },
  }
}

/** Null unless every turn has said it. */
function sumOf(turns: readonly Turn[], name: 'outputPixels' | 'inputPixels'): number | null {
  let sum = 0
  for (const { [name]: pixels } of turns) {
    if (pixels === undefined) return null
    sum += pixels
  }
  return sum
}
