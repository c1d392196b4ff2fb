import type { Usage, UsageClasses } from '#domain/inference/usage.ts'
import { classPrice, textInputs } from './class-price.ts'
import type { PriceList, UnitPrices } from './price-list.ts'
import { priceOf } from './price-of.ts'
import { charactersOf, type Way, waysOfCounting } from './ways-of-counting.ts'

interface MediaLine extends Way {
  readonly price: bigint
}

interface MediaLines {
  readonly lines: readonly MediaLine[]
  /** Token classes that these lines replace. */
  readonly replaced: ReadonlySet<keyof UsageClasses>
}

const none: MediaLines = { lines: [], replaced: new Set() }

/** The charges besides text tokens. */
export function mediaLines(usage: Usage, prices: UnitPrices, list: PriceList): MediaLines {
  const { media } = usage
  if (media === undefined) return none
  const variant = media.variant ?? {}
  const priced = (way: Way): MediaLine[] => {
    const price = priceOf(way.unit, prices, list, variant)
    return price === undefined ? [] : [{ ...way, price }]
  }
  const lines: MediaLine[] = []
  const replaced = new Set<keyof UsageClasses>()
  for (const { ways, tokens } of waysOfCounting(usage)) {
    const line = chosen(ways.flatMap(priced))
    if (line === undefined) continue
    lines.push(line)
    if (tokens !== null) replaced.add(tokens)
  }
  const characters = charactersOf(usage)
  if (characters !== null && !isPaidInTokens(usage, prices)) lines.push(...priced(characters))
  return { lines, replaced }
}

/** Sources write zero for units that do not apply, so a zero price counts only if there is no other. */
function chosen(lines: readonly MediaLine[]): MediaLine | undefined {
  return lines.find(({ price }) => price > 0n) ?? lines[0]
}

/** If a provider counts both the tokens and the characters of a text, its tokens are charged. */
function isPaidInTokens(usage: Usage, prices: UnitPrices): boolean {
  return textInputs.some((item) => usage[item] > 0 && classPrice(item, prices) > 0n)
}
