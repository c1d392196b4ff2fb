import { expect, test } from 'vitest'
import { callPrice, isFree, priceRows } from './price-rows.ts'

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
