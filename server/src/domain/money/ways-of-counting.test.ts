import { describe, expect, it } from 'vitest'
import { type MediaUsage, noUsage, type Usage, type UsageClasses } from '#domain/inference/usage.ts'
import { charactersOf, waysOfCounting } from './ways-of-counting.ts'

function use(media: MediaUsage, tokens: Partial<UsageClasses> = {}): Usage {
  return { ...noUsage, ...tokens, media }
}

/** The counting methods of each item as `item unit millionths`, with the token class they replace. */
function shown(usage: Usage): { ways: string[]; tokens: string | null }[] {
  return waysOfCounting(usage).map(({ ways, tokens }) => ({
    ways: ways.map(({ item, unit, millionths, insteadOf }) =>
      [item, unit, millionths, ...(insteadOf === undefined ? [] : ['instead of', insteadOf])].join(' '),
    ),
    tokens,
  }))
}

describe('what is counted beside words', () => {
  it('[P10] [M1] is images drawn and given, sound, videos made and given, and searches, each in every way', () => {
    const all: MediaUsage = {
      outputImages: 2,
      outputPixels: 3,
      inputImages: 4,
      inputPixels: 5,
      inputImageTokens: 6,
      inputAudioMs: 7,
      outputVideoMs: 8,
      inputVideoMs: 9,
      videoTokens: 10,
      webSearches: 13,
      citationTokens: 14,
      cachedAudioTokens: 15,
      variant: { resolution: '1080p', task: 'video_edit' },
    }
    expect(shown(use(all, { imageOutput: 11, audioInput: 12 }))).toEqual([
      {
        ways: [
          'imageOutput image_output_token 11000000',
          'per_image_output per_image_output 2000000',
          'per_megapixel_output per_megapixel_output 3',
          'per_pixel_output per_pixel_output 3000000',
          'imageOutput completion 11000000',
        ],
        tokens: 'imageOutput',
      },
      {
        ways: [
          'image_input_token image_input_token 6000000',
          'per_image_input per_image_input 4000000',
          'per_megapixel_input per_megapixel_input 5',
          'image_input_token prompt 6000000',
        ],
        tokens: null,
      },
      {
        ways: [
          'audioInput audio_input 12000000',
          'per_second_input per_second_input 7000',
          'audioInput prompt 12000000',
        ],
        tokens: 'audioInput',
      },
      {
        ways: [
          'video_output_token video_output_token 10000000',
          'per_second_output_1080p per_second_output_1080p 8000',
          'per_second_output per_second_output 8000',
        ],
        tokens: null,
      },
      {
        ways: [
          'per_second_video_input per_second_video_input 9000',
          'per_second_video_input per_second_output 9000 instead of per_second_video_input',
        ],
        tokens: null,
      },
      { ways: ['audio_cache_read audio_cache_read 15000000'], tokens: null },
      { ways: ['web_search web_search 13000000', 'per_search per_search 13000000'], tokens: null },
      { ways: ['citation_token citation_token 14000000'], tokens: null },
    ])
  })

  it('leaves out the ways in which there was none', () => {
    expect(shown(use({})).flatMap(({ ways }) => ways)).toEqual([])
    expect(shown(use({ outputImages: 0, inputVideoMs: 0 })).flatMap(({ ways }) => ways)).toEqual([])
    expect(shown(use({ inputImages: 1 })).flatMap(({ ways }) => ways)).toEqual([
      'per_image_input per_image_input 1000000',
    ])
  })

  it.each([
    ['720p', 'video_edit', ['per_second_output 1', 'per_second_video_input 2', 'per_second_output 2']],
    ['1080p', 'continuation', ['per_second_output_1080p 1', 'per_second_output 1', 'per_second_video_input 2']],
  ])('counts a video in %s for %s in the ways of that variant', (resolution, task, expected) => {
    const counted = waysOfCounting(use({ outputVideoMs: 1_000, inputVideoMs: 2_000, variant: { resolution, task } }))
    const ways = counted.flatMap((thing) =>
      thing.ways.map(({ unit, millionths }) => `${unit} ${millionths / 1_000_000n}`),
    )
    expect(ways).toEqual(expected)
  })

  it('[NEXT-131] counts the search units of a ranking like searches without a price of their own', () => {
    expect(shown(use({ searchUnits: 3 })).flatMap(({ ways }) => ways)).toEqual(['per_search per_search 3000000'])
  })

  it('is nothing where there were words alone', () => {
    expect(waysOfCounting({ ...noUsage, uncachedInput: 5, imageOutput: 5 })).toEqual([])
  })
})

it('characters are counted by the piece, and are none where nobody counted them', () => {
  const way = { item: 'per_character', unit: 'per_character' }
  expect(charactersOf(use({ inputCharacters: 7 }))).toEqual({ ...way, millionths: 7_000_000n })
  expect(charactersOf(use({}))).toBeNull()
  expect(charactersOf(noUsage)).toBeNull()
})
