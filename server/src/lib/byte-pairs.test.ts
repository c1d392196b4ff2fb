import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants'
import { countTokens, setMergeCacheSize } from 'gpt-tokenizer/encoding/o200k_base'
import { beforeAll, describe, expect, it } from 'vitest'
import { createBytePairCounter } from './byte-pairs.ts'
import { packVocabulary } from './pack-vocabulary.ts'
import { readVocabulary } from './read-vocabulary.ts'

function counted(text: string): number {
  return countTokens(text, { disallowedSpecial: new Set<string>() })
}

describe('a count by byte pairs', () => {
  let count: (text: string) => number
  beforeAll(async () => {
    setMergeCacheSize(0)
    count = createBytePairCounter(await readVocabulary(), O200K_TOKEN_SPLIT_REGEX)
  })

  it.each([
    '',
    'Hello, world!',
    "It's the CEO's OWN'S don'T",
    'naïve café 東京都 привет мир हिन्दी العربية 한국어 🏳️‍🌈👩🏽‍🚀',
    '\ud800 half a pair \udc00\ud800',
    '  \n\n\t indented\r\n',
    '1234567890 3.14159 0xDEADBEEF',
    '<|endoftext|> <|im_start|>',
    'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    '\u0000\ufffd\uffff',
    `${'https://example.com/a/b?c=d&e=f '.repeat(20)}`,
    'x'.repeat(3_000),
  ])('is that of the library: %j', (text) => {
    expect(count(text)).toBe(counted(text))
  })

  it('is that of the library for chance mixtures of all scripts', () => {
    // A fixed sequence makes a failure reproducible.
    let state = 20_261_117
    const next = (below: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
      return state % below
    }
    const ranges = [
      [32, 95],
      [97, 26],
      [0, 0x3000],
      [0x4e00, 0x5000],
      [0xac00, 0x2000],
      [0xd800, 0x800],
      [0x1f300, 0x400],
    ] as const
    for (let round = 0; round < 2_000; round += 1) {
      const characters = Array.from({ length: next(64) }, () => {
        const [from, size] = ranges[next(ranges.length)] ?? [32, 95]
        return String.fromCodePoint(from + next(size))
      })
      const text = characters.join('')
      expect({ text, tokens: count(text) }).toEqual({ text, tokens: counted(text) })
    }
  })
})

it('merges the pair of the lowest rank first, and the first of equal ones', () => {
  const count = createBytePairCounter(packVocabulary(['a', 'b', 'c', 'bc', 'ab', 'abc', 'aa']), /.+/gs)
  // `bc` ranks before `ab`, so `abc` becomes `a`, `bc` first, and then one token.
  expect(count('abc')).toBe(1)
  expect(count('abcb')).toBe(2)
  expect(count('aaa')).toBe(2)
  expect(count('cba')).toBe(3)
})

it('has no token for a hole of the vocabulary or for bytes that no token has', () => {
  const count = createBytePairCounter(packVocabulary(['a', undefined, [0xff], 'b']), /.+/gs)
  expect(count('ab')).toBe(2)
  expect(count('zz')).toBe(2)
})
