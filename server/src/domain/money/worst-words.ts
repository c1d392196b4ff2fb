import { roundUp } from './charge.ts'
import { classPrice, inputClasses, outputClasses } from './class-price.ts'
import type { NanoUsd } from './nano-usd.ts'
import type { PriceList, UnitPrices } from './price-list.ts'
import { tiersWithin } from './worst-charge.ts'

/**
 * What is held for so many tokens of a conversation: all of the prompt at the dearest price that input has, all of the output at the
 * dearest that output has, in the dearest tier that such a prompt reaches. A cache may be written, and all of an answer be reasoning.
 */
export function worstWords(tokens: { prompt: number; completion: number }, list: PriceList): NanoUsd {
  const prices = dearestOf(list, tokens.prompt)
  return roundUp(BigInt(tokens.prompt) * prices.input + BigInt(tokens.completion) * prices.output + prices.request)
}

/** How many output tokens an amount still buys, however they are counted, once the prompt is paid. */
export function affordableOutput(amount: NanoUsd, promptTokens: number, list: PriceList): number {
  const { input, output, request } = dearestOf(list, promptTokens)
  // In units, because a hold is rounded up once and not twice.
  const left = amount * nanoInUnits - BigInt(promptTokens) * input - request
  if (left < 0n) return 0
  if (output === 0n) return Number.MAX_SAFE_INTEGER
  const tokens = left / output
  return tokens > maxSafe ? Number.MAX_SAFE_INTEGER : Number(tokens)
}

function dearestOf(list: PriceList, promptTokens: number): { input: bigint; output: bigint; request: bigint } {
  const reachable = tiersWithin(list, promptTokens)
  return {
    input: largest(reachable, (prices) => inputClasses.map((item) => classPrice(item, prices))),
    output: largest(reachable, (prices) => outputClasses.map((item) => classPrice(item, prices))),
    request: largest(reachable, (prices) => [prices.per_request ?? 0n]),
  }
}

function largest(reachable: readonly UnitPrices[], pricesOf: (prices: UnitPrices) => readonly bigint[]): bigint {
  return reachable.flatMap(pricesOf).reduce((most, price) => (price > most ? price : most), 0n)
}

// Unit prices count 10^-18 USD, money 10^-9.
const nanoInUnits = 1_000_000_000n
const maxSafe = BigInt(Number.MAX_SAFE_INTEGER)
