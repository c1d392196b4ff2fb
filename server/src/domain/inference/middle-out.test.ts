import { describe, expect, it } from 'vitest'
import { type ConversationItem, leaveOutMiddle } from './middle-out.ts'

function said(tokens: number, rest: Partial<ConversationItem> = {}): ConversationItem {
  return { tokens, isInstruction: false, opens: [], closes: [], leansOnNext: false, ...rest }
}

function keptOf(items: readonly ConversationItem[], excess: number): string {
  return leaveOutMiddle(items, excess)
    .map((keeps) => (keeps ? 'x' : '.'))
    .join('')
}

describe('a conversation that is too long', () => {
  it('loses messages from its middle outwards, no more than needed', () => {
    const items = Array.from({ length: 9 }, () => said(10))
    expect(keptOf(items, 1)).toBe('xxxx.xxxx')
    expect(keptOf(items, 25)).toBe('xxx...xxx')
    expect(keptOf(items, 0)).toBe('xxxxxxxxx')
  })

  it('keeps its instructions, its first message and its last, whatever they cost', () => {
    const items = [said(500, { isInstruction: true }), said(500), said(1), said(1), said(500)]
    expect(keptOf(items, 2_000)).toBe('xx..x')
    expect(keptOf([said(9), said(9)], 100)).toBe('xx')
    expect(keptOf([said(9)], 100)).toBe('x')
    expect(keptOf([said(9, { isInstruction: true })], 100)).toBe('x')
  })

  it('never parts a tool call from its results', () => {
    const items = [
      said(1),
      said(5, { opens: ['a', 'b'] }),
      said(5, { closes: ['a'] }),
      said(5, { closes: ['b'] }),
      said(5),
      said(1),
    ]
    expect(keptOf(items, 1)).toBe('xxxx.x')
    expect(keptOf(items, 6)).toBe('x....x')
    const late = [said(1), said(1), said(5, { opens: ['a'] }), said(5, { closes: ['a'] })]
    expect(keptOf(late, 1_000)).toBe('x.xx')
  })

  it('never parts a thought from what it led to, and is not held up by a call without results', () => {
    const items = [said(1), said(5, { leansOnNext: true }), said(5), said(5, { opens: ['lost'] }), said(5), said(1)]
    expect(keptOf(items, 10)).toBe('xxx..x')
    expect(keptOf(items, 11)).toBe('x....x')
  })
})
