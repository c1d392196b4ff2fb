import { describe, expect, it } from 'vitest'
import { type PriceList, parseUnitPrices } from '#domain/money/price-list.ts'
import { compareCosts } from './compare-costs.ts'

const list = (units: Record<string, string>): PriceList => ({ id: 'p', base: parseUnitPrices(units), tiers: [] })
const cheap = list({ per_image_output: '0.01' })
const dear = list({ per_image_output: '0.02' })
const same = list({ per_image_output: '0.02' })
const words = list({ prompt: '0.000001', completion: '0.00001' })
const unpriced = list({ per_image_input: '0.01' })

describe('hosts of an image compare', () => {
  it.each<[string, PriceList | null, PriceList | null, number]>([
    ['the cheaper first', cheap, dear, -1],
    ['the dearer last', dear, cheap, 1],
    ['alike where they cost the same', dear, same, 0],
    // 1,290 image tokens and 100 text tokens cost 0.013 USD.
    ['by the tokens of words where they have no other price', words, dear, -1],
    ['by the tokens of words against a cheaper piece', words, cheap, 1],
    ['last without a list', null, dear, 1],
    ['first against one without a list', dear, null, -1],
    ['last without a price for it', unpriced, dear, 1],
    ['alike where neither has one', unpriced, null, 0],
  ])('%s', (_, one, other, expected) => {
    expect(compareCosts(one, other, 'image')).toBe(expected)
  })
})

it('prices of words do not price anything else but images', () => {
  const spoken = list({ per_character: '1' })
  expect(compareCosts(words, spoken, 'speech')).toBe(1)
  expect(compareCosts(spoken, words, 'speech')).toBe(-1)
})
