import { noUsage, type Usage } from '#domain/inference/usage.ts'
import { chargeFor } from './charge.ts'
import type { NanoUsd } from './nano-usd.ts'
import type { PricedKind, PriceList } from './price-list.ts'

/**
 * What is asked for most: an image of a megapixel, a minute of sound, a page of words; in every unit that hosts count
 * it in.
 */
const usual: Readonly<Record<Exclude<PricedKind, 'text'>, Usage>> = {
  embedding: { ...noUsage, uncachedInput: 1_000_000 },
  image: {
    ...noUsage,
    uncachedInput: 100,
    imageOutput: 1_290,
    media: { outputImages: 1, outputPixels: 1_048_576 },
  },
  speech: { ...noUsage, media: { inputCharacters: 1_000_000 } },
  video: {
    ...noUsage,
    media: { outputVideoMs: 5_000, videoTokens: 108_000, variant: { resolution: '720p', audio: 'true' } },
  },
  transcription: { ...noUsage, audioInput: 600, textOutput: 200, media: { inputAudioMs: 60_000 } },
}

/** Makes lists comparable that price the same thing in different units. */
export function usualCost(list: PriceList, kind: keyof typeof usual): NanoUsd {
  return chargeFor(usual[kind], list).cost
}
