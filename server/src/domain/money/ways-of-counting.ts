import type { Usage, UsageClasses } from '#domain/inference/usage.ts'
import type { PriceUnit } from './price-list.ts'

/** A quantity in millionths of a unit, so that fractions of a second or megapixel are exact. */
export interface Way {
  /** Its name on a receipt. */
  readonly item: keyof UsageClasses | PriceUnit
  readonly unit: PriceUnit
  readonly millionths: bigint
  /** Counts only if this other unit has no price. */
  readonly insteadOf?: PriceUnit
}

/**
 * One quantity that can be counted in several ways but is charged in one: an image is never charged both by its tokens
 * and by the piece.
 */
interface Counted {
  /** From the most to the least specific: its own token kind, pieces, then the price of text tokens. */
  readonly ways: readonly Way[]
  /** The token class of this quantity, which is then not charged separately. */
  readonly tokens: keyof UsageClasses | null
}

const whole = 1_000_000n
const perThousandth = 1_000n

/** The quantities besides text that are not zero. */
export function waysOfCounting(usage: Usage): readonly Counted[] {
  const { media } = usage
  if (media === undefined) return []
  const outputSeconds = BigInt(media.outputVideoMs ?? 0) * perThousandth
  const inputSeconds = BigInt(media.inputVideoMs ?? 0) * perThousandth
  const inputVideo = pieces('per_second_video_input', inputSeconds)
  const isEdit = media.variant?.['task'] === 'video_edit'
  const imageTokens = BigInt(media.inputImageTokens ?? 0) * whole
  const searches = BigInt(media.webSearches ?? 0) * whole
  const searchUnits = BigInt(media.searchUnits ?? 0) * whole
  const things: Counted[] = [
    {
      ways: [
        { item: 'imageOutput', unit: 'image_output_token', millionths: BigInt(usage.imageOutput) * whole },
        pieces('per_image_output', BigInt(media.outputImages ?? 0) * whole),
        pieces('per_megapixel_output', BigInt(media.outputPixels ?? 0)),
        pieces('per_pixel_output', BigInt(media.outputPixels ?? 0) * whole),
        { item: 'imageOutput', unit: 'completion', millionths: BigInt(usage.imageOutput) * whole },
      ],
      tokens: 'imageOutput',
    },
    {
      ways: [
        pieces('image_input_token', imageTokens),
        pieces('per_image_input', BigInt(media.inputImages ?? 0) * whole),
        pieces('per_megapixel_input', BigInt(media.inputPixels ?? 0)),
        { item: 'image_input_token', unit: 'prompt', millionths: imageTokens },
      ],
      tokens: null,
    },
    {
      ways: [
        { item: 'audioInput', unit: 'audio_input', millionths: BigInt(usage.audioInput) * whole },
        pieces('per_second_input', BigInt(media.inputAudioMs ?? 0) * perThousandth),
        { item: 'audioInput', unit: 'prompt', millionths: BigInt(usage.audioInput) * whole },
      ],
      tokens: 'audioInput',
    },
    {
      ways: [
        pieces('video_output_token', BigInt(media.videoTokens ?? 0) * whole),
        // Some lists have a separate price for the highest resolution besides the plain one.
        pieces('per_second_output_1080p', media.variant?.['resolution'] === '1080p' ? outputSeconds : 0n),
        pieces('per_second_output', outputSeconds),
      ],
      tokens: null,
    },
    {
      ways: [
        inputVideo,
        // An edited video is charged for every second twice: as input and as output.
        {
          ...inputVideo,
          unit: 'per_second_output',
          millionths: isEdit ? inputSeconds : 0n,
          insteadOf: inputVideo.unit,
        },
      ],
      tokens: null,
    },
    // Without a separate price, cached audio costs as much as other cached tokens.
    { ways: [pieces('audio_cache_read', BigInt(media.cachedAudioTokens ?? 0) * whole)], tokens: null },
    // A rerank model searches documents and not the web, so these never come together.
    { ways: [pieces('web_search', searches), pieces('per_search', searches + searchUnits)], tokens: null },
    // Without a separate price, citation tokens are free: most models that quote sources charge nothing for them.
    { ways: [pieces('citation_token', BigInt(media.citationTokens ?? 0) * whole)], tokens: null },
  ]
  return things.map(({ ways, tokens }) => ({ ways: ways.filter(({ millionths }) => millionths > 0n), tokens }))
}

function pieces(unit: PriceUnit, millionths: bigint): Way {
  return { item: unit, unit, millionths }
}

/** The characters of a text, which are another way of counting it. Null if there are none. */
export function charactersOf({ media }: Usage): Way | null {
  const characters = media?.inputCharacters ?? 0
  return characters === 0 ? null : pieces('per_character', BigInt(characters) * whole)
}
