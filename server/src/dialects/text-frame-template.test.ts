import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withFrameTemplate } from './text-frame-template.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('\ud800', '\u0000', '"', '\\') }),
)

describe('a template of text frames', () => {
  it('writes the same frames, whatever the texts', () => {
    fc.assert(
      fc.property(text, fc.array(text), (id, texts) => {
        const writeFrame = (piece: string): string =>
          `data: ${JSON.stringify({ id, delta: { text: piece }, n: 1 })}\n\n`
        const write = withFrameTemplate(writeFrame)
        for (const piece of texts) expect(write(piece)).toBe(writeFrame(piece))
      }),
    )
  })

  it('writes the frame around the text only once', () => {
    let written = 0
    const write = withFrameTemplate((piece) => {
      written += 1
      return JSON.stringify({ piece })
    })
    expect(['a', 'b', 'c'].map(write)).toEqual(['{"piece":"a"}', '{"piece":"b"}', '{"piece":"c"}'])
    expect(written).toBe(1)
  })
})
