import { promptTokensOf, type Usage, type UsageClasses } from '#domain/inference/usage.ts'
import { roundUp } from './charge.ts'
import { classNames, classPrice, textInputs } from './class-price.ts'
import type { NanoUsd } from './nano-usd.ts'
import type { PriceList, PriceUnit, UnitPrices } from './price-list.ts'
import { dearestPriceOf } from './price-of.ts'
import { charactersOf, type Way, waysOfCounting } from './ways-of-counting.ts'

/**
 * The hold for a request with this maximum usage, in every unit that a provider may count: the most expensive way of
 * counting at the highest possible price. No charge for the same or less usage exceeds it, whatever the upstream
 * reports.
 */
export function worstChargeOf(most: Usage, list: PriceList): NanoUsd {
  const counted = countedAtWorst(most, list)
  const least =
    most.media === undefined
      ? undefined
      : dearestPriceOf('per_request_minimum', reachableOf(most, list), list, most.media.variant)
  return roundUp(largest([counted, least ?? 0n]))
}

/**
 * Whether the list has a price for exactly this video: a price of zero counts, but without a price the video would be
 * free.
 */
export function hasVideoPrice(most: Usage, list: PriceList): boolean {
  const reachable = reachableOf(most, list)
  return waysOfCounting(most)
    .flatMap(({ ways }) => ways)
    .some(({ item, unit }) => item === unit && videoUnits.has(unit) && isKnown(unit))

  function isKnown(unit: PriceUnit): boolean {
    return dearestPriceOf(unit, reachable, list, most.media?.variant) !== undefined
  }
}

const videoUnits: ReadonlySet<PriceUnit> = new Set([
  'video_output_token',
  'per_second_output',
  'per_second_output_1080p',
])

function reachableOf(most: Usage, list: PriceList): readonly UnitPrices[] {
  return tiersWithin(list, promptTokensOf(most))
}

function countedAtWorst(most: Usage, list: PriceList): bigint {
  const reachable = reachableOf(most, list)
  const variant = most.media?.variant
  const dearest = (unit: PriceUnit): bigint => dearestPriceOf(unit, reachable, list, variant) ?? 0n
  const costOf = ({ unit, millionths, insteadOf }: Way): bigint =>
    insteadOf !== undefined && dearest(insteadOf) > 0n ? 0n : millionths * dearest(unit)
  const tokensOf = (item: keyof UsageClasses): bigint =>
    BigInt(most[item]) * millionthsInUnit * largest(reachable.map((prices) => classPrice(item, prices)))

  let words = 0n
  let total = 0n
  const counted = waysOfCounting(most)
  for (const item of classNames) {
    if (most[item] === 0 || counted.some(({ tokens }) => tokens === item)) continue
    if (isText(item)) words += tokensOf(item)
    else total += tokensOf(item)
  }
  const characters = charactersOf(most)
  total += characters === null ? words : largest([words, costOf(characters)])
  for (const { ways } of counted) total += largest(ways.map(costOf))
  total += largest(reachable.map((prices) => prices.per_request ?? 0n)) * millionthsInUnit
  return (total + millionthsInUnit - 1n) / millionthsInUnit
}

const millionthsInUnit = 1_000_000n

/** A prompt shorter than the maximum has the prices of an earlier tier, which may be higher. */
export function tiersWithin(list: PriceList, promptTokens: number): readonly UnitPrices[] {
  const passed = list.tiers.filter(({ abovePromptTokens }) => promptTokens > abovePromptTokens)
  return [list.base, ...passed.map(({ prices }) => prices)]
}

function isText(item: keyof UsageClasses): boolean {
  return textInputs.some((text) => text === item)
}

function largest(amounts: readonly bigint[]): bigint {
  return amounts.reduce((most, amount) => (amount > most ? amount : most), 0n)
}
