import { noSearches, type SearchAllowance } from '#domain/inference/search-allowance.ts'
import { oncePer } from '#lib/once-per.ts'
import { roundUp } from './charge.ts'
import { classPrice, inputClasses, outputClasses } from './class-price.ts'
import type { NanoUsd } from './nano-usd.ts'
import type { PriceList, PriceUnit, UnitPrices } from './price-list.ts'
import { dearestPriceOf } from './price-of.ts'
import { tiersWithin } from './worst-charge.ts'

/** The input of a conversation, and the searches allowed for its response. */
export interface ConversationInput {
  readonly prompt: number
  /**
   * Tokens that are read again, for another choice or after a tool. They cost the plain price, because a cache is
   * written once.
   */
  readonly reread?: number
  readonly searches?: SearchAllowance
}

/**
 * The hold for this many tokens of a conversation: the whole prompt at the highest input price and the whole output at
 * the highest output price, in the most expensive tier that such a prompt reaches. A cache may be written, and the
 * whole output may be reasoning. Searches are held at their highest possible price.
 */
export function worstWords(tokens: ConversationInput & { completion: number }, list: PriceList): NanoUsd {
  const dearest = dearestWithin(list, readIn(tokens))
  return roundUp(inputCost(tokens, dearest) + BigInt(tokens.completion) * dearest.output)
}

/** The output tokens that an amount still covers, however they are counted, after the prompt and its searches. */
export function affordableOutput(amount: NanoUsd, input: ConversationInput, list: PriceList): number {
  const dearest = dearestWithin(list, readIn(input))
  // Computed in price units, because a hold is rounded up once, not twice.
  const left = amount * nanoInUnits - inputCost(input, dearest)
  if (left < 0n) return 0
  if (dearest.output === 0n) return Number.MAX_SAFE_INTEGER
  const tokens = left / dearest.output
  return tokens > maxSafe ? Number.MAX_SAFE_INTEGER : Number(tokens)
}

/** Includes the results of searches. */
function promptOf({ prompt, searches = noSearches }: ConversationInput): number {
  return prompt + searches.promptTokens
}

/**
 * All tokens that are read. An upstream that reads a prompt again may count all readings as one prompt, which
 * determines the price tier.
 */
function readIn(input: ConversationInput): number {
  return promptOf(input) + (input.reread ?? 0)
}

/** The price of everything but the output: the prompt, the request fee and the searches. */
function inputCost(input: ConversationInput, dearest: DearestPrices): bigint {
  const { input: perToken, plainInput, request, search, citation } = dearest
  const { reread = 0, searches } = input
  const first = BigInt(promptOf(input)) * perToken + request
  const prompt = reread === 0 ? first : first + BigInt(reread) * plainInput
  if (searches === undefined) return prompt
  return prompt + BigInt(searches.webSearches) * search + BigInt(searches.citationTokens) * citation
}

/** The highest prices of a list. */
interface DearestPrices {
  readonly input: bigint
  /** For input that no cache reads or writes. */
  readonly plainInput: bigint
  readonly output: bigint
  readonly request: bigint
  readonly search: bigint
  readonly citation: bigint
}

/** By the number of tiers that a prompt reaches. */
const knownOf = oncePer((_list: PriceList): DearestPrices[] => [])

function dearestWithin(list: PriceList, prompt: number): DearestPrices {
  const tierCount = list.tiers.findLastIndex(({ abovePromptTokens }) => prompt > abovePromptTokens) + 1
  return (knownOf(list)[tierCount] ??= findDearest(list, prompt))
}

function findDearest(list: PriceList, prompt: number): DearestPrices {
  const reachable = tiersWithin(list, prompt)
  const dearest = (unit: PriceUnit): bigint => dearestPriceOf(unit, reachable, list) ?? 0n
  return {
    input: largest(reachable, (prices) => [
      ...inputClasses.map((item) => classPrice(item, prices)),
      prices.audio_cache_read ?? 0n,
    ]),
    plainInput: largest(reachable, (prices) => [classPrice('uncachedInput', prices)]),
    output: largest(reachable, (prices) => outputClasses.map((item) => classPrice(item, prices))),
    request: largest(reachable, (prices) => [prices.per_request ?? 0n]),
    search: larger(dearest('web_search'), dearest('per_search')),
    citation: dearest('citation_token'),
  }
}

function largest(reachable: readonly UnitPrices[], pricesOf: (prices: UnitPrices) => readonly bigint[]): bigint {
  return reachable.flatMap(pricesOf).reduce(larger, 0n)
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}

// Unit prices are in 10^-18 USD, money in 10^-9.
const nanoInUnits = 1_000_000_000n
const maxSafe = BigInt(Number.MAX_SAFE_INTEGER)
