import { expect, it } from 'vitest'
import { csvLine } from './csv-line.ts'

it('writes texts, numbers and nothing', () => {
  expect(csvLine(['a', 5, -3n, null, 'say "hi", please', 'two\nlines'])).toBe(
    'a,5,-3,,"say ""hi"", please","two\nlines"\r\n',
  )
})

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '  =1', '＝1', '＋1', '－1', '＠A'])(
  'makes text of what would be a formula: %j',
  (cell) => {
    expect(csvLine([cell])).toMatch(/^"'/)
    expect(csvLine(['before', cell, 'after'])).toContain(`'${cell}`)
  },
)

it('lets no cell break out of its quotes into a formula', () => {
  expect(csvLine(['x",=1+1,"'])).toBe('"x"",=1+1,"""\r\n')
})
