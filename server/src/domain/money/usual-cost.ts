import { noUsage, type Usage } from '#domain/inference/usage.ts'
import { chargeFor } from './charge.ts'
import type { NanoUsd } from './nano-usd.ts'
import type { PricedKind, PriceList } from './price-list.ts'

/**
 * The most common requests: an image of one megapixel, a minute of audio, a page of text; in every unit that providers
 * count.
 */
const usual: Readonly<Record<Exclude<PricedKind, 'text'>, Usage>> = {
  embedding: { ...noUsage, uncachedInput: 1_000_000 },
  image: {
    ...noUsage,
    uncachedInput: 100,
    imageOutput: 1_290,
    media: { outputImages: 1, outputPixels: 1_048_576 },
  },
  moderation: { ...noUsage, uncachedInput: 1_000_000 },
  // A minute of conversation.
  realtime: { ...noUsage, uncachedInput: 500, audioInput: 600, textOutput: 150, audioOutput: 600 },
  // A query over fifty passages.
  rerank: { ...noUsage, uncachedInput: 20_000, media: { searchUnits: 1 } },
  speech: { ...noUsage, media: { inputCharacters: 1_000_000 } },
  video: {
    ...noUsage,
    media: { outputVideoMs: 5_000, videoTokens: 108_000, variant: { resolution: '720p', audio: 'true' } },
  },
  transcription: { ...noUsage, audioInput: 600, textOutput: 200, media: { inputAudioMs: 60_000 } },
  translation: { ...noUsage, audioInput: 600, textOutput: 200, media: { inputAudioMs: 60_000 } },
}

/** Compares lists that price the same thing in different units. */
export function usualCost(list: PriceList, kind: keyof typeof usual): NanoUsd {
  return chargeFor(usual[kind], list).cost
}
