import { noSearches, type SearchAllowance } from '#domain/inference/search-allowance.ts'
import { roundUp } from './charge.ts'
import { classPrice, inputClasses, outputClasses } from './class-price.ts'
import type { NanoUsd } from './nano-usd.ts'
import type { PriceList, PriceUnit, UnitPrices } from './price-list.ts'
import { dearestPriceOf } from './price-of.ts'
import { tiersWithin } from './worst-charge.ts'

/** What goes into a conversation, and what may be looked up for its answer. */
export interface ConversationInput {
  readonly prompt: number
  readonly searches?: SearchAllowance
}

/**
 * What is held for so many tokens of a conversation: all of the prompt at the dearest price that input has, all of the output at the
 * dearest that output has, in the dearest tier that such a prompt reaches. A cache may be written, and all of an answer be reasoning.
 * Searches are held for at the dearest price that they may turn out to have.
 */
export function worstWords(tokens: ConversationInput & { completion: number }, list: PriceList): NanoUsd {
  const { prompt, inputPrice, outputPrice, fixed } = dearestOf(list, tokens)
  return roundUp(prompt * inputPrice + BigInt(tokens.completion) * outputPrice + fixed)
}

/** How many output tokens an amount still buys, however they are counted, once the prompt and its searches are paid. */
export function affordableOutput(amount: NanoUsd, input: ConversationInput, list: PriceList): number {
  const { prompt, inputPrice, outputPrice, fixed } = dearestOf(list, input)
  // In units, because a hold is rounded up once and not twice.
  const left = amount * nanoInUnits - prompt * inputPrice - fixed
  if (left < 0n) return 0
  if (outputPrice === 0n) return Number.MAX_SAFE_INTEGER
  const tokens = left / outputPrice
  return tokens > maxSafe ? Number.MAX_SAFE_INTEGER : Number(tokens)
}

interface DearestPrices {
  /** With what searches bring into it. */
  readonly prompt: bigint
  readonly inputPrice: bigint
  readonly outputPrice: bigint
  /** What the call costs whatever is said in it: its fee and its searches. */
  readonly fixed: bigint
}

function dearestOf(list: PriceList, { prompt: asked, searches = noSearches }: ConversationInput): DearestPrices {
  const prompt = asked + searches.promptTokens
  const reachable = tiersWithin(list, prompt)
  const dearest = (unit: PriceUnit): bigint => dearestPriceOf(unit, reachable, list) ?? 0n
  const searchPrice = [dearest('web_search'), dearest('per_search')].reduce(larger)
  const citations = BigInt(searches.citationTokens) * dearest('citation_token')
  return {
    prompt: BigInt(prompt),
    inputPrice: largest(reachable, (prices) => [
      ...inputClasses.map((item) => classPrice(item, prices)),
      prices.audio_cache_read ?? 0n,
    ]),
    outputPrice: largest(reachable, (prices) => outputClasses.map((item) => classPrice(item, prices))),
    fixed:
      largest(reachable, (prices) => [prices.per_request ?? 0n]) +
      BigInt(searches.webSearches) * searchPrice +
      citations,
  }
}

function largest(reachable: readonly UnitPrices[], pricesOf: (prices: UnitPrices) => readonly bigint[]): bigint {
  return reachable.flatMap(pricesOf).reduce(larger, 0n)
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}

// Unit prices count 10^-18 USD, money 10^-9.
const nanoInUnits = 1_000_000_000n
const maxSafe = BigInt(Number.MAX_SAFE_INTEGER)
