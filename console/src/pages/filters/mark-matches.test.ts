import { expect, it } from 'vitest'
import { markMatches } from './mark-matches.ts'

const shown = (matches: readonly (readonly [number, number])[]) =>
  markMatches(
    'abcdef',
    matches.map(([start, end]) => ({ start, end })),
  )
    .map(({ text, isMatch }) => (isMatch ? `[${text}]` : text))
    .join('')

it.each<[readonly (readonly [number, number])[], string]>([
  [[], 'abcdef'],
  [[[0, 6]], '[abcdef]'],
  [[[1, 3]], 'a[bc]def'],
  // In the order of the filters, not of the text.
  [
    [
      [4, 5],
      [0, 1],
    ],
    '[a]bcd[e]f',
  ],
  [
    [
      [0, 3],
      [2, 4],
    ],
    '[abc][d]ef',
  ],
  [
    [
      [0, 4],
      [1, 2],
    ],
    '[abcd]ef',
  ],
])('marks %j as %s', (matches, expected) => {
  expect(shown(matches)).toBe(expected)
})

it('has no empty part', () => {
  expect(markMatches('', [])).toEqual([])
  expect(markMatches('ab', [{ start: 0, end: 2 }])).toEqual([{ text: 'ab', isMatch: true }])
})
