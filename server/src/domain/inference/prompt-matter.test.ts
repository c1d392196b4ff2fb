import { describe, expect, it } from 'vitest'
import { addText, collectMatter, sizeOf, sizeOfText } from './prompt-matter.ts'

describe('the texts of a prompt', () => {
  it('are kept as they are, everything else as JSON, and nothing where there is none', () => {
    const { texts } = collectMatter((matter) => {
      for (const value of ['a', '', null, undefined, { b: [1] }, 0, false, 'c']) addText(matter, value)
    })
    expect(texts).toEqual(['a', '{"b":[1]}', '0', 'false', 'c'])
  })

  it.each([
    ['', 0],
    ['a', 1],
    ['abcd', 1],
    ['abcde', 2],
    // Three bytes of UTF-8 each.
    ['鷺鷺鷺', 3],
    ['x'.repeat(2_048), 512],
  ])('%j hold and count four bytes a token, and have at most one for each byte', (text, tokens) => {
    const most = text === '' ? {} : { promptTokensMax: Buffer.byteLength(text) }
    expect(sizeOfText(text)).toEqual({ promptTokensEstimate: tokens, promptTokensHeld: tokens, ...most })
  })
})

describe('the size of a prompt', () => {
  const empty = { texts: [], tokens: 0, tokensBeyond: 0, images: 0, mayExpand: false, isUncounted: false }
  it.each([
    ['nothing', {}, { promptTokensEstimate: 0, promptTokensHeld: 0 }],
    [
      'texts and messages',
      { texts: ['abcd', 'ab'], tokens: 8 },
      { promptTokensEstimate: 10, promptTokensHeld: 10, promptTokensMax: 14 },
    ],
    [
      'files',
      { tokens: 3, tokensBeyond: 70, mayExpand: true },
      { promptTokensEstimate: 3, promptTokensHeld: 3, promptTokensBeyond: 70, mayExpand: true },
    ],
    ['images', { tokens: 3, images: 2 }, { promptTokensEstimate: 3, promptTokensHeld: 3, promptImages: 2 }],
    ['a video', { isUncounted: true }, { promptTokensEstimate: 0, promptTokensHeld: 0, fillsContext: true }],
  ])('of %s', (_what, matter, size) => {
    expect(sizeOf({ ...empty, ...matter })).toEqual(size)
  })
})
