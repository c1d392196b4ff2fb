import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSseSplitter } from './sse-splitter.ts'

function split(pieces: readonly Buffer[], eventBytesMax = 1_000): { events: string[]; oversize: number } {
  const events: string[] = []
  let oversize = 0
  const splitter = createSseSplitter({
    onEvent: (payload) => events.push(payload.toString('utf8')),
    eventBytesMax,
    onOversize: () => {
      oversize += 1
    },
  })
  for (const piece of pieces) splitter.push(piece)
  splitter.end()
  return { events, oversize }
}

const line = fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replaceAll(/[\r\n\uFEFF]/g, ''))

describe('the splitter', () => {
  it('finds the same events wherever the bytes are cut and however lines end', () => {
    const newline = fc.constantFrom('\n', '\r\n')
    fc.assert(
      fc.property(
        fc.array(fc.array(line, { minLength: 1, maxLength: 3 }), { maxLength: 6 }),
        newline,
        fc.boolean(),
        fc.array(fc.nat(500), { maxLength: 10 }),
        (events, end, hasMark, cuts) => {
          const text = events
            .map((lines) => `: note${end}event: x${end}${lines.map((each) => `data: ${each}${end}`).join('')}${end}`)
            .join('')
          const bytes = Buffer.from((hasMark ? '\uFEFF' : '') + text)
          const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
          const pieces = edges.slice(1).map((edge, position) => bytes.subarray(edges[position], edge))
          expect(split(pieces).events).toEqual(events.map((lines) => lines.join('\n')))
        },
      ),
    )
  })

  it('counts a last event without its blank line, and takes data without the blank', () => {
    expect(split([Buffer.from('data:one\n\ndata: two')]).events).toEqual(['one', 'two'])
    expect(split([Buffer.from('data: one\r')]).events).toEqual(['one'])
  })

  it('passes over everything that is not data', () => {
    expect(split([Buffer.from('datas: x\nid: 1\nretry: 5\n:data: y\nda\n\n\n\n')]).events).toEqual([])
  })

  // If every line or chunk copied the bytes, these tests would take minutes.
  it('[B5] takes time that grows with the bytes, for many lines of one event and for many pieces of one line', () => {
    const word = Buffer.from('x'.repeat(16))
    const [joined] = split([Buffer.from(`data:${word}\n`.repeat(400_000))], 10_000_000).events
    expect(joined).toHaveLength(17 * 400_000 - 1)
    const [whole] = split([Buffer.from('data:'), ...Array.from({ length: 400_000 }, () => word)], 10_000_000).events
    expect(whole).toHaveLength(16 * 400_000)
  })

  it('gives up on an event that never ends, once, and hears nothing afterwards', () => {
    const pieces = Array.from({ length: 50 }, () => Buffer.from('data: '.padEnd(100, 'x')))
    const result = split([...pieces, Buffer.from('\n\ndata: later\n\n')], 1_000)
    expect(result).toEqual({ events: [], oversize: 1 })
  })

  it('minds many lines of one event as much as one long line', () => {
    const pieces = Array.from({ length: 50 }, () => Buffer.from(`data: ${'x'.repeat(90)}\n`))
    expect(split(pieces, 1_000).oversize).toBe(1)
  })
})
