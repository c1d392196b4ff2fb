import { describe, expect, it } from 'vitest'
import { type MediaUsage, noUsage, type Usage, type UsageClasses } from '#domain/inference/usage.ts'
import { chargeFor } from './charge.ts'
import { formatUsd } from './nano-usd.ts'
import { type PriceList, parsePriceRules, parseUnitPrices } from './price-list.ts'
import { usualCost } from './usual-cost.ts'
import { worstChargeOf } from './worst-charge.ts'

function list(units: Record<string, string>): PriceList {
  return { id: 'p', base: parseUnitPrices(units), tiers: [] }
}

function use(tokens: Partial<UsageClasses>, media: MediaUsage): Usage {
  return { ...noUsage, ...tokens, media }
}

// Price lists as in catalogues.
const drawsInTokens = list({ prompt: '0.000005', image_input_token: '0.000008', image_output_token: '0.00003' })
const quotesBoth = list({ prompt: '0.000005', per_image_output: '0.02', image_output_token: '0.0000195' })
const byTheImage = list({ per_image_input: '0.003', per_image_output: '0.045' })
const byTheMegapixel = list({ per_megapixel_output: '0.06', per_megapixel_input: '0.05' })
const byThePixel = list({ per_pixel_output: '0.0000000013' })
const wordsAndPieces = list({ prompt: '0.000002', completion: '0.000012', per_image_output: '0.04' })
const embedsByTheCharacter = list({ prompt: '0.0000001', per_character: '0.000000025' })
const embedsImages = list({ prompt: '0.0000008', per_image_input: '0.00006' })
const speaks = list({ per_character: '0.000015' })
const listensByTheSecond = list({ per_second_input: '0.0001' })
const listensInTokens = list({ prompt: '0.00000125', audio_input: '0.0000025', completion: '0.000005' })

describe('a charge', () => {
  it.each<[string, Usage, PriceList, string]>([
    [
      'tokens of an image',
      use({ uncachedInput: 10, imageOutput: 1_056 }, { outputImages: 1 }),
      drawsInTokens,
      '0.03173',
    ],
    [
      'cached sound at the price of cached words where it has none of its own',
      use({ cacheRead: 100 }, { outputImages: 1, cachedAudioTokens: 40 }),
      list({ prompt: '0.000002', cache_read: '0.000001', per_image_output: '0.04' }),
      '0.0401',
    ],
    ['tokens of images given', use({ uncachedInput: 10 }, { inputImageTokens: 300 }), drawsInTokens, '0.00245'],
    ['tokens where pieces are priced as well', use({ imageOutput: 1_000 }, { outputImages: 1 }), quotesBoth, '0.0195'],
    ['pieces where no tokens were counted', use({ uncachedInput: 4 }, { outputImages: 2 }), quotesBoth, '0.04002'],
    ['pieces', use({}, { outputImages: 2, inputImages: 3, outputPixels: 99 }), byTheImage, '0.099'],
    ['pieces of a host that reports tokens', use({ imageOutput: 4_160 }, { outputImages: 1 }), byTheImage, '0.045'],
    [
      'pieces rather than image tokens as words',
      use({ imageOutput: 1_290 }, { outputImages: 1 }),
      wordsAndPieces,
      '0.04',
    ],
    ['parts of megapixels', use({}, { outputImages: 1, outputPixels: 1_048_576 }), byTheMegapixel, '0.06291456'],
    ['megapixels given', use({}, { outputPixels: 1_000_000, inputPixels: 500_000 }), byTheMegapixel, '0.085'],
    ['pixels', use({}, { outputImages: 1, outputPixels: 1_048_576 }), byThePixel, '0.001363149'],
    [
      'tokens rather than characters',
      use({ uncachedInput: 100 }, { inputCharacters: 400 }),
      embedsByTheCharacter,
      '0.00001',
    ],
    ['characters where no tokens were counted', use({}, { inputCharacters: 400 }), embedsByTheCharacter, '0.00001'],
    ['words and images beside each other', use({ uncachedInput: 10 }, { inputImages: 2 }), embedsImages, '0.000128'],
    ['image tokens without a price as words', use({}, { inputImageTokens: 10 }), embedsImages, '0.000008'],
    ['pieces before image tokens as words', use({}, { inputImageTokens: 10, inputImages: 1 }), embedsImages, '0.00006'],
    ['the characters to be spoken', use({}, { inputCharacters: 7 }), speaks, '0.000105'],
    ['parts of a second', use({}, { inputAudioMs: 12_345 }), listensByTheSecond, '0.0012345'],
    ['tokens of sound', use({ audioInput: 100, textOutput: 20 }, { inputAudioMs: 10_000 }), listensInTokens, '0.00035'],
    [
      'seconds of a host that reports tokens',
      use({ audioInput: 100 }, { inputAudioMs: 10_000 }),
      listensByTheSecond,
      '0.001',
    ],
    [
      'what the upstream says',
      use({ imageOutput: 10 }, { outputImages: 1, statedNano: 12_345 }),
      byTheImage,
      '0.000012345',
    ],
  ])('[P10] is for %s', (_, usage, prices, usd) => {
    expect(formatUsd(chargeFor(usage, prices).cost)).toBe(usd)
  })

  it('[P10] does not take a zero for the price of what has another', () => {
    const zeroed = list({ image_output_token: '0', per_image_output: '0.04' })
    expect(formatUsd(chargeFor(use({ imageOutput: 10 }, { outputImages: 1 }), zeroed).cost)).toBe('0.04')
    const given = list({ per_image_output: '0.04', per_image_input: '0' })
    expect(formatUsd(chargeFor(use({}, { outputImages: 1, inputImages: 2 }), given).cost)).toBe('0.04')
  })

  it('[MONEY-04] rounds up what is less than the finest price, once', () => {
    const finest = list({ per_megapixel_output: '0.000000000000000001' })
    const pixel = use({}, { outputPixels: 1 })
    expect(formatUsd(chargeFor(pixel, finest).cost)).toBe('0.000000001')
    expect(formatUsd(worstChargeOf(pixel, finest))).toBe('0.000000001')
    const withWords = { ...finest, base: { ...finest.base, ...parseUnitPrices({ prompt: '0.000000001' }) } }
    expect(formatUsd(chargeFor({ ...pixel, uncachedInput: 1 }, withWords).cost)).toBe('0.000000002')
  })

  it('[MONEY-02] [MONEY-03] counts the tokens of images towards the tier', () => {
    const tier = { abovePromptTokens: 100, prices: parseUnitPrices({ prompt: '0.000002', completion: '0' }) }
    const tiered: PriceList = { ...list({ prompt: '0.000001', completion: '0' }), tiers: [tier] }
    expect(formatUsd(chargeFor(use({ uncachedInput: 50 }, { inputImageTokens: 50 }), tiered).cost)).toBe('0.0001')
    expect(formatUsd(chargeFor(use({ uncachedInput: 50 }, { inputImageTokens: 51 }), tiered).cost)).toBe('0.000202')
  })
})

describe('rules', () => {
  const ruled: PriceList = {
    ...byTheImage,
    ...parsePriceRules([
      { unit: 'per_image_output', usd: '0.05', when: { quality: 'high' } },
      { unit: 'per_image_output', usd: '0.045', when: { mode: 'plain' } },
      { unit: 'per_image_output', usd: '0.09', when: { quality: 'high', resolution: '4k' } },
      { unit: 'per_image_output', usd: '0.02', when: { resolution: '1k' } },
      { unit: 'per_image_output', usd: '0.03', when: { size: 'small' } },
    ]),
  }
  it.each<[string, Record<string, string>, string]>([
    ['the plain price for what they do not name', { quality: 'medium' }, '0.045'],
    ['one condition', { quality: 'high' }, '0.05'],
    ['the most that fits', { quality: 'high', resolution: '4k' }, '0.09'],
    ['what fits of a variant that has more to it', { quality: 'high', resolution: '2k' }, '0.05'],
    ['the dearest of equals', { resolution: '1k', size: 'small' }, '0.03'],
    ['another than one that repeats the plain price', { mode: 'plain', size: 'small' }, '0.03'],
  ])('choose %s', (_, variant, usd) => {
    expect(formatUsd(chargeFor(use({}, { outputImages: 1, variant }), ruled).cost)).toBe(usd)
  })

  it('[HOLD-10] hold the dearest that may still come', () => {
    expect(formatUsd(worstChargeOf(use({}, { outputImages: 1 }), ruled))).toBe('0.09')
    expect(formatUsd(worstChargeOf(use({}, { outputImages: 1, variant: { quality: 'low' } }), ruled))).toBe('0.045')
  })
})

it('[HOLD-10] holds for the dearer of tokens and pieces, because nobody knows what the host will count', () => {
  const most = use({ imageOutput: 6_400 }, { outputImages: 1, outputPixels: 4_194_304 })
  expect(formatUsd(worstChargeOf(most, wordsAndPieces))).toBe('0.0768')
  expect(
    formatUsd(
      worstChargeOf(most, {
        ...wordsAndPieces,
        base: { ...wordsAndPieces.base, ...parseUnitPrices({ completion: '0.0000001' }) },
      }),
    ),
  ).toBe('0.04')
  expect(formatUsd(worstChargeOf(most, quotesBoth))).toBe('0.1248')
})

it.each<[string, PriceList, string]>([
  ['tokens', drawsInTokens, '0.0392'],
  ['pieces', byTheImage, '0.045'],
  ['megapixels', byTheMegapixel, '0.06291456'],
  ['pixels', byThePixel, '0.001363149'],
])('a usual image costs the like of it in %s', (_, prices, usd) => {
  expect(formatUsd(usualCost(prices, 'image'))).toBe(usd)
})
