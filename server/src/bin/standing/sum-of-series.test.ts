import { expect, it } from 'vitest'
import { sumOfSeries } from './sum-of-series.ts'

const text = '# HELP a things\n# TYPE a gauge\na{queue="holds"} 2\na{queue="settles"} 3\nab 7\nb 1.5\n'

it('adds a figure up over its labels, and tells none from zero', () => {
  expect(sumOfSeries(text, 'a')).toBe(5)
  expect(sumOfSeries(text, 'b')).toBe(1.5)
  expect(sumOfSeries(text, 'c')).toBeNull()
})
