import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuGrowth } from '#test/setup/cpu-growth.ts'
import { lowerCaseOf, plainDigits, TextViews, wholeCharacters } from './text-views.ts'

/** Excludes surrogates, private-use and unassigned code points. */
const everyCharacter = Array.from({ length: 0x110000 }, (_, point) => point).filter((point) =>
  /[^\p{Cs}\p{Co}\p{Cn}]/u.test(String.fromCodePoint(point)),
)

/** Letters with combining marks, zero-width characters, compatibility forms, surrogate pairs and lone surrogates. */
const oddities = [
  'a',
  'Z',
  '7',
  ' ',
  '\n',
  'e\u0301',
  '\u200b',
  '\u00ad',
  'ﬁ',
  'ｆ',
  '４',
  '😀',
  '\u{e0069}',
  '\ud800',
  '\udc00',
  'İ',
  'ß',
  'Σ',
  '٣',
  '한',
  '\u1112\u1161',
  '\ufdfa',
  '—',
]
const letterUnder = (marks: number) => `a${'\u0301\u0316'.repeat(marks / 2)}`
const anyText = fc.array(fc.constantFrom(...oddities), { maxLength: 40 }).map((parts) => parts.join(''))

describe('the views of a text', () => {
  it('are the text itself where nothing is disguised', () => {
    for (const text of ['plain', 'Straße, naïve, 世界, Привет', '', '😀 pair']) {
      expect(new TextViews(text).folded).toBe(text)
    }
  })

  it.each([
    ['zero width', 'se\u200bcr\u2060et', 'secret'],
    ['soft hyphens', 'se\u00adcret', 'secret'],
    ['full width letters', 'ｓｅｃｒｅｔ', 'secret'],
    ['mathematical letters', '𝐬𝐞𝐜𝐫𝐞𝐭', 'secret'],
    ['ligatures', 'ﬁle', 'file'],
    ['marks apart from their letters', 'e\u0301', 'é'],
    ['Korean in parts', '\u1112\u1161\u11ab', '한'],
    ['letters of the invisible kind', 'a\u{e0073}\u{e0065}', 'a se'],
  ])('read %s', (_, written, folded) => {
    expect(new TextViews(written).folded).toBe(folded)
  })

  it('point into the original, and cover all of a letter', () => {
    const views = new TextViews('xｓe\u200bcret! ﬁ')
    expect(views.folded).toBe('xsecret! fi')
    expect(views.toOriginal({ start: 1, end: 7 })).toEqual({ start: 1, end: 8 })
    expect(views.toOriginal({ start: 9, end: 10 })).toEqual({ start: 10, end: 11 })
  })

  it('are as long as the folded text in every other form, for every character there is', () => {
    expect(everyCharacter.length).toBeGreaterThan(150_000)
    for (const point of everyCharacter) {
      const folded = new TextViews(String.fromCodePoint(point)).folded
      if (lowerCaseOf(folded).length !== folded.length || plainDigits(folded).length !== folded.length) {
        throw new Error(`U+${point.toString(16)} changes its length`)
      }
    }
  })

  it('know the digits of every script that has them in one unit', () => {
    const digits = everyCharacter.filter((point) => point < 0x10000 && /\p{Nd}/u.test(String.fromCodePoint(point)))
    expect(digits.length).toBeGreaterThan(300)
    for (const point of digits) expect(plainDigits(String.fromCodePoint(point))).toMatch(/^[0-9]$/)
    expect(plainDigits('٠١٢٣٤٥٦٧٨٩')).toBe('0123456789')
  })

  it('take linear time for a letter under thousands of marks in the worst order', () => {
    expect(cpuGrowth({ inputOf: letterUnder, run: (text) => new TextViews(text).folded })).toMatchObject({
      isWithin: true,
    })
    expect(new TextViews(letterUnder(100_000)).folded.length).toBeGreaterThan(90_000)
  })

  it('give places that are in order, inside of the text, and never inside of a pair', () => {
    fc.assert(
      fc.property(anyText, fc.nat(60), fc.nat(60), (text, from, length) => {
        const views = new TextViews(text)
        const start = Math.min(from, Math.max(0, views.folded.length - 1))
        const end = Math.min(start + 1 + length, views.folded.length)
        if (end <= start) return
        const span = views.toOriginal({ start, end })
        expect(span.start).toBeGreaterThanOrEqual(0)
        expect(span.end).toBeGreaterThan(span.start)
        expect(span.end).toBeLessThanOrEqual(text.length)
        expect(wholeCharacters(text, span)).toEqual(span)
        // The text at the span contains at least the match.
        const found = views.folded.slice(start, end)
        expect(new TextViews(text.slice(span.start, span.end)).folded.length).toBeGreaterThanOrEqual(found.length)
      }),
      { numRuns: 2_000 },
    )
  })
})
