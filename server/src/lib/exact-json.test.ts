import { expect, test } from 'vitest'
import { parseExactJson } from './exact-json.ts'

test('numbers are the text that they are written in, wherever they stand; all else is as usual', () => {
  expect(parseExactJson('{"a":[1.50e-07,-0],"b":{"c":12345678901234567890.10},"d":true,"e":null,"f":"7"}')).toEqual({
    a: ['1.50e-07', '-0'],
    b: { c: '12345678901234567890.10' },
    d: true,
    e: null,
    f: '7',
  })
})

test('what is not JSON is refused', () => {
  expect(() => parseExactJson('{')).toThrow(SyntaxError)
})
