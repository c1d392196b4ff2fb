import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import { chargeFor } from './charge.ts'
import { inputClasses, outputClasses } from './class-price.ts'
import { nanoUsd } from './nano-usd.ts'
import type { PriceList, UnitPrices } from './price-list.ts'
import { formatUnitPrice, parseUnitPrice, type UnitPrice } from './unit-price.ts'
import { affordableOutput, worstWords } from './worst-words.ts'

const count = fc.nat(300_000)
const price: fc.Arbitrary<UnitPrice> = fc
  .bigInt({ min: 0n, max: 10n ** 14n })
  .map((units) => parseUnitPrice(formatUnitPrice(units)))
const units: fc.Arbitrary<UnitPrices> = fc.record(
  {
    prompt: price,
    completion: price,
    cache_read: price,
    cache_write: price,
    cache_write_1h: price,
    audio_input: price,
    reasoning: price,
    audio_output: price,
    image_output_token: price,
    per_request: price,
  },
  { requiredKeys: ['prompt', 'completion'] },
)
const list: fc.Arbitrary<PriceList> = fc
  .tuple(units, fc.array(fc.record({ abovePromptTokens: count, prices: units }), { maxLength: 2 }))
  .map(([base, tiers]) => ({
    id: 'p',
    base,
    tiers: tiers.toSorted((one, other) => one.abovePromptTokens - other.abovePromptTokens),
  }))
/** How much of the whole a class has. */
const shares = (length: number) => fc.array(fc.nat(100), { minLength: length, maxLength: length })

describe('what is held for words', () => {
  it('[B3] [HOLD-10] covers every answer within its tokens, whichever class they are counted in', () => {
    fc.assert(
      fc.property(
        list,
        count,
        count,
        shares(inputClasses.length),
        shares(outputClasses.length),
        (prices, prompt, completion, inputs, outputs) => {
          const usage = {
            ...noUsage,
            ...spread(inputClasses, inputs, prompt),
            ...spread(outputClasses, outputs, completion),
          }
          expect(chargeFor(usage, prices).cost).toBeLessThanOrEqual(worstWords({ prompt, completion }, prices))
        },
      ),
    )
  })

  it('[P21] the affordable tokens are affordable, and one more is not', () => {
    fc.assert(
      fc.property(list, count, fc.bigInt({ min: 0n, max: 10n ** 12n }), (prices, prompt, room) => {
        fc.pre(worstWords({ prompt, completion: 0 }, prices) <= room)
        const completion = affordableOutput(nanoUsd(room), prompt, prices)
        expect(worstWords({ prompt, completion }, prices) <= room || completion === Number.MAX_SAFE_INTEGER).toBe(true)
        expect(worstWords({ prompt, completion: completion + 1 }, prices) > room || completion > 10 ** 15).toBe(true)
      }),
    )
  })
})

/** So many tokens over the classes by their shares, all of the rest in the last. */
function spread<Name extends string>(
  names: readonly Name[],
  parts: readonly number[],
  total: number,
): Partial<Record<Name, number>> {
  const spread: Partial<Record<Name, number>> = {}
  let left = total
  for (const [position, name] of names.entries()) {
    const taken = position === names.length - 1 ? left : Math.floor((left * (parts[position] ?? 0)) / 100)
    spread[name] = taken
    left -= taken
  }
  return spread
}
