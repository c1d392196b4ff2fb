import { expect, it } from 'vitest'
import { stepRow } from './step-row.ts'

it.each([
  ['ArrowDown', 1, 2],
  ['j', 1, 2],
  ['ArrowUp', 1, 0],
  ['k', 1, 0],
  ['Home', 2, 0],
  ['End', 0, 2],
  ['ArrowDown', 2, 2],
  ['ArrowUp', 0, 0],
  ['Enter', 1, undefined],
])('%s in row %i of three leads to %s', (key, index, expected) => {
  expect(stepRow(key, index, 3)).toBe(expected)
})
