import type { ImageResult, MadeImage } from '#domain/media/media-result.ts'
import type { ImageTask } from '#domain/media/media-task.ts'
import type { ExchangeScript, Step, StepOutcome } from '../exchange-script.ts'
import { noUsage, promptTokensOf } from '#domain/inference/usage.ts'
import { imageVariant } from './image-variant.ts'
import { sumOfTokens, type TokenCount } from './token-count.ts'

/** The result of one request. */
export interface Turn {
  readonly images: readonly MadeImage[]
  /** The pixels as charged by the upstream. Undefined if it does not report them; then the images are measured. */
  readonly outputPixels?: number | undefined
  readonly inputPixels?: number | undefined
  /** For upstreams that count in tokens. */
  readonly tokens?: TokenCount | undefined
  /** Text that the model returned beside its images. */
  readonly text?: string | undefined
}

/**
 * Sends one request after another until the client's number of images is reached. They succeed together or not at all.
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
    // Surplus images are dropped, and the reported size then says nothing about the others.
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
        // Images that are part of the prompt tokens are not also counted per image.
        ...(counted === null || inputTokensOf(counted) === 0
          ? { inputImages: task.inputs.length * turns.length }
          : { inputImageTokens: counted.inputImageTokens }),
        ...(outputPixels === null ? {} : { outputPixels }),
        ...(inputPixels === null ? {} : { inputPixels }),
        // A client does not pay for a quality that was not sent to the upstream.
        variant: imageVariant(tellsQuality ? task : { ...task, quality: null }),
      },
    },
  }
}

/** Some upstreams count only output tokens. */
function inputTokensOf({ classes, inputImageTokens }: TokenCount): number {
  return promptTokensOf(classes) + inputImageTokens
}

/** Null unless every request reported it. */
function sumOf(turns: readonly Turn[], name: 'outputPixels' | 'inputPixels'): number | null {
  let sum = 0
  for (const { [name]: pixels } of turns) {
    if (pixels === undefined) return null
    sum += pixels
  }
  return sum
}
