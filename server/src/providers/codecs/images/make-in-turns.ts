import type { ImageResult, MadeImage } from '#domain/media/media-result.ts'
import type { ImageTask } from '#domain/media/media-task.ts'
import type { ExchangeScript, Step, StepOutcome } from '../exchange-script.ts'
import { noUsage, promptTokensOf } from '#domain/inference/usage.ts'
import { imageVariant } from './image-variant.ts'
import { sumOfTokens, type TokenCount } from './token-count.ts'

/** What one submit came to. */
export interface Turn {
  readonly images: readonly MadeImage[]
  /** As the upstream charges them; undefined where it does not say, and the images are measured. */
  readonly outputPixels?: number | undefined
  readonly inputPixels?: number | undefined
  /** Where the upstream counts in tokens. */
  readonly tokens?: TokenCount | undefined
  /** What the model said beside its images. */
  readonly text?: string | undefined
}

/**
 * One submit after the other, until as many images are asked for as the client wants. They succeed together or not at
 * all.
 */
export function* makeInTurns(
  task: ImageTask,
  atOnce: number,
  make: (count: number) => Generator<Step, Turn, StepOutcome>,
  { tellsQuality = false }: { readonly tellsQuality?: boolean } = {},
): ExchangeScript<ImageResult> {
  const turns: Turn[] = []
  for (let left = task.count; left > 0; left -= atOnce) {
    const count = Math.min(left, atOnce)
    const { images, tokens, text, ...pixels } = yield* make(count)
    // More than were asked for are dropped, and what they were said to measure says nothing of the others.
    turns.push(
      images.length > count ? { images: images.slice(0, count), tokens, text } : { images, tokens, text, ...pixels },
    )
  }
  const images = turns.flatMap((turn) => turn.images)
  const texts = turns.flatMap(({ text }) => (text === undefined || text === '' ? [] : [text]))
  const counted = sumOfTokens(turns)
  const [outputPixels, inputPixels] = [sumOf(turns, 'outputPixels'), sumOf(turns, 'inputPixels')]
  return {
    kind: 'image',
    images,
    text: texts.length === 0 ? null : texts.join('\n'),
    usage: {
      ...(counted?.classes ?? noUsage),
      media: {
        outputImages: images.length,
        // Those that are among the tokens of a prompt are not counted by the piece as well.
        ...(counted === null || inputTokensOf(counted) === 0
          ? { inputImages: task.inputs.length * turns.length }
          : { inputImageTokens: counted.inputImageTokens }),
        ...(outputPixels === null ? {} : { outputPixels }),
        ...(inputPixels === null ? {} : { inputPixels }),
        // A client does not pay for a quality that the host was not told of.
        variant: imageVariant(tellsQuality ? task : { ...task, quality: null }),
      },
    },
  }
}

/** Some hosts count nothing but what they have made. */
function inputTokensOf({ classes, inputImageTokens }: TokenCount): number {
  return promptTokensOf(classes) + inputImageTokens
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
