import { expect, it } from 'vitest'
import { csvRows } from './csv-rows.ts'

it.each<[string, string, [number, string[]][]]>([
  ['nothing', '', []],
  [
    'plain cells',
    'a,b\n1,2',
    [
      [1, ['a', 'b']],
      [2, ['1', '2']],
    ],
  ],
  [
    'a last line end',
    'a,b\r\n1,2\r\n',
    [
      [1, ['a', 'b']],
      [2, ['1', '2']],
    ],
  ],
  [
    'empty lines',
    'a\n\n ,\n1\n',
    [
      [1, ['a']],
      [4, ['1']],
    ],
  ],
  ['empty cells', 'a,,c', [[1, ['a', '', 'c']]]],
  ['quotes', 'a,"b, ""c"""', [[1, ['a', 'b, "c"']]]],
  [
    'lines within quotes',
    '"a\nb",c\nd,e',
    [
      [1, ['a\nb', 'c']],
      [3, ['d', 'e']],
    ],
  ],
  ['a byte order mark', '\uFEFFa,b', [[1, ['a', 'b']]]],
  [
    'semicolons',
    'a;b\n"1,5";2',
    [
      [1, ['a', 'b']],
      [2, ['1,5', '2']],
    ],
  ],
  ['tabs', 'a\tb', [[1, ['a', 'b']]]],
])('reads %s', (_name, text, rows) => {
  expect(csvRows(text)?.map(({ line, cells }) => [line, cells])).toEqual(rows)
})

it('rejects an open quote', () => {
  expect(csvRows('a,"b')).toBeNull()
})
