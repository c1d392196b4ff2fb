import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactionMark, redactText } from './redact-text.ts'
import { joinSpans } from './span.ts'

const anySpans = fc.array(
  fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 20 })).map(([start, length]) => ({ start, end: start + length })),
  { maxLength: 12 },
)

describe('redaction', () => {
  it('[FILTER-02] replaces exactly the parts it is given', () => {
    expect(
      redactText('card 4111, mail a@b.c', [
        { start: 5, end: 9 },
        { start: 16, end: 21 },
      ]),
    ).toBe('card [REDACTED], mail [REDACTED]')
    expect(redactText('nothing', [])).toBe('nothing')
  })

  it('joins parts that overlap and keeps those apart that touch', () => {
    const spans = [
      { start: 4, end: 8 },
      { start: 0, end: 5 },
      { start: 8, end: 9 },
      { start: 4, end: 6 },
    ]
    expect(joinSpans(spans)).toEqual([
      { start: 0, end: 8 },
      { start: 8, end: 9 },
    ])
    expect(redactText('abcdefghij', joinSpans(spans))).toBe('[REDACTED][REDACTED]j')
  })

  it('leaves nothing of what is covered and everything of what is not', () => {
    fc.assert(
      fc.property(anySpans, (spans) => {
        // Each position has a unique character, so the test can tell which ones are left.
        const text = Array.from({ length: 80 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('')
        const redacted = redactText(text, joinSpans(spans))
        const isCovered = (at: number) => spans.some(({ start, end }) => at >= start && at < end)
        const left = redacted.replaceAll(redactionMark, '')
        expect(left).toBe([...text].filter((_, at) => !isCovered(at)).join(''))
      }),
    )
  })

  it('joins into parts in order that do not overlap and cover the same', () => {
    fc.assert(
      fc.property(anySpans, (spans) => {
        const joined = joinSpans(spans)
        for (const [at, span] of joined.entries()) expect(span.start).toBeGreaterThanOrEqual(joined[at - 1]?.end ?? 0)
        for (let at = 0; at < 80; at += 1) {
          const covers = ({ start, end }: { start: number; end: number }) => at >= start && at < end
          expect(joined.some(covers)).toBe(spans.some(covers))
        }
      }),
    )
  })
})
