import { expect, test } from 'vitest'
import { callPrice, isFree, priceInShort, priceRows } from './price-rows.ts'

test('what costs nothing is left out where something else has a price', () => {
  const pricing = { prompt: '0', completion: '0', video_second: '0.4' }
  expect(priceRows(pricing).map(({ id }) => id)).toEqual(['video_second'])
  expect(callPrice(pricing)).toEqual({ id: 'video_second', label: 'Video output', unit: 'second', usd: '0.4' })
})

test('a free model shows that words cost nothing', () => {
  const pricing = { prompt: '0', completion: '0.00' }
  expect(isFree(pricing)).toBe(true)
  expect(priceRows(pricing).map(({ usd }) => usd)).toEqual(['0', '0.00'])
  expect(callPrice(pricing)).toBeUndefined()
})

test.each([
  [{ prompt: '1.75', completion: '14' }, true, '$1.75 in, $14.00 out / 1M'],
  [{ prompt: '0.13', completion: '0' }, true, '$0.13 in, $0.00 out / 1M'],
  [{ prompt: '0', completion: '0', video_second: '0.4' }, true, '$0.40 / second'],
  [{ prompt: '0', completion: '0', image_output: '30' }, true, '$30.00 / 1M tokens'],
  [{ prompt: '0', completion: '0' }, true, 'Free'],
  [{ prompt: '0', completion: '0' }, false, 'No price'],
])('tells the main prices of %j (priced: %s) in one line', (pricing, priced, words) => {
  expect(priceInShort({ pricing, priced })).toBe(words)
})
