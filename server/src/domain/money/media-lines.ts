import type { MediaUsage, Usage } from '#domain/inference/usage.ts'
import type { PriceList, PriceUnit, UnitPrices } from './price-list.ts'

/** So many millionths of a unit at such a price; millionths, so that parts of a second or megapixel are exact. */
export interface MediaLine {
  readonly item: PriceUnit
  readonly millionths: bigint
  readonly price: bigint
}

const whole = 1_000_000n
const perThousandth = 1_000n

/**
 * What is charged beside tokens. Nothing is charged twice: where a model's images are counted and priced in tokens, they are not
 * charged by the piece as well.
 */
export function mediaLines(usage: Usage, prices: UnitPrices, list: PriceList): MediaLine[] {
  const { media } = usage
  if (media === undefined) return []
  const lines: MediaLine[] = []
  const add = (item: PriceUnit, millionths: bigint): boolean => {
    const price = variantPrice(item, media, list) ?? prices[item]
    if (price === undefined) return false
    if (millionths > 0n) lines.push({ item, millionths, price })
    return true
  }
  const isPricedInTokens = usage.imageOutput > 0 && (prices.image_output_token ?? prices.completion ?? 0n) > 0n
  if (!isPricedInTokens) addOutputImages(media, add)
  addInputImages(media, prices, add)
  add('per_character', BigInt(media.inputCharacters ?? 0) * whole)
  add('per_second_input', BigInt(media.inputAudioMs ?? 0) * perThousandth)
  addVideo(media, add)
  return lines
}

type Add = (item: PriceUnit, millionths: bigint) => boolean

function addOutputImages({ outputImages = 0, outputPixels = 0 }: MediaUsage, add: Add): void {
  if (add('per_image_output', BigInt(outputImages) * whole)) return
  if (add('per_megapixel_output', BigInt(outputPixels))) return
  add('per_pixel_output', BigInt(outputPixels) * whole)
}

/** By its tokens where they are priced, else by its seconds; and by those of the video that it was made from. */
function addVideo({ videoTokens = 0, outputVideoMs = 0, inputVideoMs = 0 }: MediaUsage, add: Add): void {
  if (videoTokens === 0 || !add('video_output_token', BigInt(videoTokens) * whole)) {
    add('per_second_output', BigInt(outputVideoMs) * perThousandth)
  }
  add('per_second_video_input', BigInt(inputVideoMs) * perThousandth)
}

// Image tokens without a price of their own cost what the words of a prompt cost.
function addInputImages(media: MediaUsage, prices: UnitPrices, add: Add): void {
  const { inputImages = 0, inputPixels = 0, inputImageTokens = 0 } = media
  const tokens = BigInt(inputImageTokens) * whole
  if (tokens > 0n && (add('image_input_token', tokens) || (prices.prompt !== undefined && add('prompt', tokens))))
    return
  if (add('per_image_input', BigInt(inputImages) * whole)) return
  add('per_megapixel_input', BigInt(inputPixels))
}

/** The rule that says most about the request's variant and nothing that it is not. */
function variantPrice(unit: PriceUnit, { variant = {} }: MediaUsage, { rules = [] }: PriceList): bigint | undefined {
  let best: bigint | undefined
  let bestFit = -1
  for (const rule of rules) {
    const conditions = Object.entries(rule.when)
    const fits = rule.unit === unit && conditions.every(([name, value]) => variant[name] === value)
    if (!fits || conditions.length <= bestFit) continue
    best = rule.price
    bestFit = conditions.length
  }
  return best
}
