import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { storableJson } from './storable-json.ts'

it('keeps every text that Postgres takes as it is', () => {
  const texts = fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed() && !text.includes('\0'))
  fc.assert(
    fc.property(texts, (text) => {
      expect(storableJson({ text, list: [text] })).toBe(JSON.stringify({ text, list: [text] }))
    }),
  )
})

it('marks what Postgres does not take, at any depth', () => {
  const row = {
    media: { variant: { quality: 'a\0', size: '\ud800' } },
    words: String.raw`\u0000`,
    count: 1,
    none: null,
    'key\0': { '\udc00': 2 },
  }
  expect(JSON.parse(storableJson([row]))).toEqual([
    {
      media: { variant: { quality: 'a\ufffd', size: '\ufffd' } },
      words: String.raw`\u0000`,
      count: 1,
      none: null,
      'key\ufffd': { '\ufffd': 2 },
    },
  ])
})
