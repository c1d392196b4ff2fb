import {
  type Fraction,
  fractionOf,
  nothing,
  type OracleList,
  pick,
  plus,
  pricesAt,
  ruled,
  times,
} from '../media/money/oracle.ts'

/** A conversation as an upstream counts it. */
export interface WordsUse {
  readonly tokens: Readonly<Record<string, number>>
  readonly webSearches: number
  readonly citationTokens: number
  /** Part of the cached tokens. */
  readonly cachedAudioTokens: number
  readonly contextSize: string | null
  readonly tier: 'flex' | 'priority' | null
}

type Units = Readonly<Record<string, string>>

/** The cost of a conversation in USD, not rounded, in fractions and from strings, like the oracle for media. */
export function exactWordsUsd(use: WordsUse, list: OracleList): Fraction {
  const plain = pricesAt(list, promptOf(use))
  const prices = use.tier === null ? plain : inTier(plain, list.base, use.tier)
  const variant: Record<string, string> = {}
  if (use.contextSize !== null) variant.search_context_size = use.contextSize
  if (use.tier !== null) variant.service_tier = use.tier
  const at = (unit: string): string | undefined => ruled(unit, prices[unit], variant, list.rules)
  const tokens = (name: string): number => use.tokens[name] ?? 0
  const cachedAudioPrice = at('audio_cache_read')
  const cachedAudio = cachedAudioPrice === undefined ? 0 : use.cachedAudioTokens
  return [
    times(tokens('uncachedInput'), 1, prices.prompt),
    times(tokens('cacheRead') - cachedAudio, 1, prices.cache_read ?? prices.prompt),
    times(cachedAudio, 1, cachedAudioPrice),
    times(tokens('cacheWrite5m'), 1, prices.cache_write ?? prices.prompt),
    times(tokens('cacheWrite1h'), 1, prices.cache_write_1h ?? prices.cache_write ?? prices.prompt),
    either(use, tokens('audioInput'), [at('audio_input'), prices.prompt]),
    times(tokens('textOutput'), 1, prices.completion),
    times(tokens('reasoningOutput'), 1, prices.reasoning ?? prices.completion),
    either(use, tokens('imageOutput'), [at('image_output_token'), prices.completion]),
    times(tokens('audioOutput'), 1, prices.audio_output ?? prices.completion),
    pick([
      [use.webSearches, 1, at('web_search')],
      [use.webSearches, 1, at('per_search')],
    ]),
    times(use.citationTokens, 1, at('citation_token')),
    times(1, 1, prices.per_request),
  ].reduce(plus, nothing)
}

/** A zero price is skipped only in usage with more than token counts, where it may mean that the unit is not used. */
function either(use: WordsUse, count: number, [own, text]: [string | undefined, string | undefined]): Fraction {
  if (!isMore(use)) return times(count, 1, own ?? text)
  return pick([
    [count, 1, own],
    [count, 1, text],
  ])
}

function isMore(use: WordsUse): boolean {
  const { webSearches, citationTokens, cachedAudioTokens, contextSize, tier } = use
  return webSearches + citationTokens + cachedAudioTokens > 0 || contextSize !== null || tier !== null
}

function promptOf({ tokens }: WordsUse): number {
  const inputs = ['uncachedInput', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'audioInput']
  return inputs.reduce((sum, name) => sum + (tokens[name] ?? 0), 0)
}

const followers = {
  prompt: ['cache_read', 'cache_write', 'cache_write_1h', 'audio_input', 'audio_cache_read'],
  completion: ['reasoning', 'image_output_token', 'audio_output'],
} as const

/** A tier's stated prices, and all others of the same side in proportion, rounded up to 18 decimals. */
function inTier(plain: Units, base: Units, tier: string): Units {
  const prices: Record<string, string> = { ...plain }
  for (const side of ['prompt', 'completion'] as const) {
    const own = plain[`${tier}_${side}`] ?? scaled(plain[side], base[side], base[`${tier}_${side}`])
    if (own === undefined) continue
    prices[side] = own
    for (const unit of followers[side]) {
      const price = scaled(plain[unit], plain[side], own)
      if (price !== undefined) prices[unit] = price
    }
  }
  return prices
}

function scaled(price: string | undefined, from: string | undefined, to: string | undefined): string | undefined {
  if (price === undefined || from === undefined || to === undefined) return undefined
  const [one, old, young] = [fractionOf(price), fractionOf(from), fractionOf(to)]
  if (old.top === 0n) return undefined
  const top = one.top * young.top * old.bottom * 10n ** 18n
  const bottom = one.bottom * young.bottom * old.top
  const digits = String((top + bottom - 1n) / bottom).padStart(19, '0')
  return `${digits.slice(0, -18)}.${digits.slice(-18)}`
}
