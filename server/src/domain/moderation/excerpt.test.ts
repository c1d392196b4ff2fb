import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { excerptOf } from './excerpt.ts'

it('keeps all there is room for, beginning with the text that matters', () => {
  expect(excerptOf(['ab', '', 'cd'], { text: 2, start: 1 }, 100)).toEqual({
    parts: [
      { text: 2, start: 0, content: 'cd' },
      { text: 0, start: 0, content: 'ab' },
    ],
    isPartial: false,
  })
})

it('cuts around the place that matters', () => {
  const long = `${'x'.repeat(1_000)}HERE${'y'.repeat(1_000)}`
  const { parts, isPartial } = excerptOf(['before', long], { text: 1, start: 1_000 }, 40)
  expect(isPartial).toBe(true)
  expect(parts).toHaveLength(1)
  expect(parts[0]?.content).toContain('HERE')
  expect(excerptOf([long], { text: 0, start: 2_003 }, 10).parts).toEqual([
    { text: 0, start: 1_994, content: 'y'.repeat(10) },
  ])
})

it('is never longer than it may be, and always has the character that matters', () => {
  const texts = fc.array(fc.string({ maxLength: 30 }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(texts, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 60 }), (all, which, where, max) => {
      const text = which % all.length
      const start = where % Math.max(1, all[text]?.length ?? 0)
      const { parts, isPartial } = excerptOf(all, { text, start }, max)
      const kept = parts.reduce((sum, { content }) => sum + content.length, 0)
      const total = all.reduce((sum, each) => sum + each.length, 0)
      expect(kept).toBe(Math.min(total, max))
      expect(isPartial).toBe(kept < total)
      for (const part of parts) {
        expect(all[part.text]?.slice(part.start, part.start + part.content.length)).toBe(part.content)
      }
      const first = parts[0]
      if ((all[text] ?? '') !== '') {
        expect(first?.text).toBe(text)
        expect((first?.start ?? 0) <= start && start < (first?.start ?? 0) + (first?.content.length ?? 0)).toBe(true)
      }
    }),
  )
})
