/**
 * The cost of a media request, computed a second time in another way: in fractions, from strings, by going down ordered
 * lists. It shares nothing with the code that charges.
 */
export interface OracleList {
  readonly base: Readonly<Record<string, string>>
  readonly tiers: readonly { readonly above: number; readonly prices: Readonly<Record<string, string>> }[]
  readonly rules: readonly {
    readonly unit: string
    readonly usd: string
    readonly when: Readonly<Record<string, string>>
  }[]
}

export interface OracleUse {
  readonly tokens: Readonly<Record<string, number>>
  readonly media: Readonly<Record<string, number>>
  readonly variant: Readonly<Record<string, string>>
}

export interface Fraction {
  readonly top: bigint
  readonly bottom: bigint
}

export const nothing: Fraction = { top: 0n, bottom: 1n }

/** In USD, not rounded. */
export function exactUsd(use: OracleUse, list: OracleList): Fraction {
  const prices = pricesAt(list, promptOf(use))
  const at = (unit: string): string | undefined => ruled(unit, prices[unit], use.variant, list.rules)
  const tokens = (name: string): number => use.tokens[name] ?? 0
  const media = (name: string): number => use.media[name] ?? 0

  const image = pick([
    [tokens('imageOutput'), 1, at('image_output_token')],
    [media('outputImages'), 1, at('per_image_output')],
    [media('outputPixels'), 1_000_000, at('per_megapixel_output')],
    [media('outputPixels'), 1, at('per_pixel_output')],
    [tokens('imageOutput'), 1, prices.completion],
  ])
  const picture = pick([
    [media('inputImageTokens'), 1, at('image_input_token')],
    [media('inputImages'), 1, at('per_image_input')],
    [media('inputPixels'), 1_000_000, at('per_megapixel_input')],
    [media('inputImageTokens'), 1, prices.prompt],
  ])
  const sound = pick([
    [tokens('audioInput'), 1, at('audio_input')],
    [media('inputAudioMs'), 1_000, at('per_second_input')],
    [tokens('audioInput'), 1, prices.prompt],
  ])
  const search = pick([
    [media('webSearches'), 1, at('web_search')],
    [media('webSearches') + media('searchUnits'), 1, at('per_search')],
  ])
  const quoted = pick([[media('citationTokens'), 1, at('citation_token')]])
  const words = [
    times(tokens('uncachedInput'), 1, prices.prompt),
    times(tokens('cacheRead'), 1, prices.cache_read ?? prices.prompt),
  ].reduce(plus, nothing)
  const characters = words.top > 0n ? nothing : times(media('inputCharacters'), 1, at('per_character'))
  const answer = times(tokens('textOutput'), 1, prices.completion)
  const fee = times(1, 1, prices.per_request)
  return [image, picture, sound, search, quoted, words, characters, answer, fee].reduce(plus, nothing)
}

/** Rounds up to the next whole billionth. */
export function roundedUpNano({ top, bottom }: Fraction): bigint {
  const nano = top * 1_000_000_000n
  return nano / bottom + (nano % bottom === 0n ? 0n : 1n)
}

function promptOf({ tokens, media }: OracleUse): number {
  return (
    (tokens.uncachedInput ?? 0) + (tokens.cacheRead ?? 0) + (tokens.audioInput ?? 0) + (media.inputImageTokens ?? 0)
  )
}

export function pricesAt({ base, tiers }: OracleList, prompt: number): Readonly<Record<string, string>> {
  const passed = tiers.filter(({ above }) => above < prompt).toSorted((one, other) => other.above - one.above)
  return passed[0]?.prices ?? base
}

/** The rule with the most conditions; among equals a rule that is not the plain price, then the most expensive. */
export function ruled(
  unit: string,
  plain: string | undefined,
  variant: Readonly<Record<string, string>>,
  rules: OracleList['rules'],
): string | undefined {
  const matching = rules.filter(
    (rule) => rule.unit === unit && !Object.entries(rule.when).some(([name, value]) => variant[name] !== value),
  )
  const most = Math.max(-1, ...matching.map(({ when }) => Object.keys(when).length))
  const closest = matching.filter(({ when }) => Object.keys(when).length === most)
  const telling = closest.filter(({ usd }) => plain === undefined || compare(usd, plain) !== 0)
  const [dearest] = (telling.length > 0 ? telling : closest).toSorted((one, other) => compare(other.usd, one.usd))
  return dearest?.usd ?? plain
}

/** The first counted way with a price above zero, or zero. */
export function pick(ways: readonly (readonly [number, number, string | undefined])[]): Fraction {
  for (const [count, parts, usd] of ways) {
    if (count > 0 && usd !== undefined && fractionOf(usd).top > 0n) return times(count, parts, usd)
  }
  return nothing
}

export function times(count: number, parts: number, usd: string | undefined): Fraction {
  const { top, bottom } = fractionOf(usd ?? '0')
  return { top: BigInt(count) * top, bottom: BigInt(parts) * bottom }
}

export function plus(one: Fraction, other: Fraction): Fraction {
  return { top: one.top * other.bottom + other.top * one.bottom, bottom: one.bottom * other.bottom }
}

function compare(one: string, other: string): number {
  const [left, right] = [fractionOf(one), fractionOf(other)]
  const difference = left.top * right.bottom - right.top * left.bottom
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}

export function fractionOf(usd: string): Fraction {
  const [whole = '0', decimals = ''] = usd.split('.')
  return { top: BigInt(whole + decimals), bottom: 10n ** BigInt(decimals.length) }
}
