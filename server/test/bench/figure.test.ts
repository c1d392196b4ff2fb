import { expect, it } from 'vitest'
import { figureOf } from './figure.ts'

it('is the median with its quartiles', () => {
  expect(figureOf([5, 1, 4, 2, 3], 1)).toEqual({ median: 3, low: 2, high: 4, windows: 5 })
  expect(figureOf([1, 2], 2)).toEqual({ median: 1.5, low: 1.25, high: 1.75, windows: 2 })
  expect(figureOf([7], 0)).toEqual({ median: 7, low: 7, high: 7, windows: 1 })
})

it('leaves out windows without a value', () => {
  expect(figureOf([null, 2, Number.NaN, 4], 0)).toMatchObject({ median: 3, windows: 2 })
  expect(figureOf([null], 0)).toBeNull()
})
