import { promptTokensOf, type Usage, type UsageClasses } from '#domain/inference/usage.ts'
import { roundUp } from './charge.ts'
import { classNames, classPrice, textInputs } from './class-price.ts'
import type { NanoUsd } from './nano-usd.ts'
import type { PriceList, UnitPrices } from './price-list.ts'
import { dearestPriceOf } from './price-of.ts'
import { charactersOf, type Way, waysOfCounting } from './ways-of-counting.ts'

/**
 * What is held for a request that may come to so much, in every unit that a host may count it in: the dearest way of counting at
 * the dearest price that may hold. No charge for as much or less exceeds it, whatever the upstream reports.
 */
export function worstChargeOf(most: Usage, list: PriceList): NanoUsd {
  const reachable = tiersWithin(list, promptTokensOf(most))
  const variant = most.media?.variant
  const costOf = ({ unit, millionths }: Way): bigint =>
    millionths * (dearestPriceOf(unit, reachable, list, variant) ?? 0n)
  const tokensOf = (item: keyof UsageClasses): bigint =>
    BigInt(most[item]) * millionthsInUnit * largest(reachable.map((prices) => classPrice(item, prices)))

  let words = 0n
  let total = 0n
  const counted = waysOfCounting(most)
  for (const item of classNames) {
    if (counted.some(({ tokens }) => tokens === item)) continue
    if (isText(item)) words += tokensOf(item)
    else total += tokensOf(item)
  }
  total += largest([words, costOf(charactersOf(most))])
  for (const { ways, tokens } of counted) {
    total += largest([...ways.map(costOf), tokens === null ? 0n : tokensOf(tokens)])
  }
  total += largest(reachable.map((prices) => prices.per_request ?? 0n)) * millionthsInUnit
  return roundUp((total + millionthsInUnit - 1n) / millionthsInUnit)
}

const millionthsInUnit = 1_000_000n

/** A shorter prompt than the longest possible one has the prices of an earlier tier, which may be dearer. */
function tiersWithin(list: PriceList, promptTokens: number): readonly UnitPrices[] {
  const passed = list.tiers.filter(({ abovePromptTokens }) => promptTokens > abovePromptTokens)
  return [list.base, ...passed.map(({ prices }) => prices)]
}

function isText(item: keyof UsageClasses): boolean {
  return textInputs.some((text) => text === item)
}

function largest(amounts: readonly bigint[]): bigint {
  return amounts.reduce((most, amount) => (amount > most ? amount : most), 0n)
}
