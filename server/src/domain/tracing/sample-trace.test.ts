import { expect, it } from 'vitest'
import { newUuid } from '#lib/uuid.ts'
import { createSampleTrace } from './sample-trace.ts'

const ids = Array.from({ length: 20_000 }, (_, at) => newUuid(1_800_000_000_000 + at).replaceAll('-', ''))
const chosenAt = (ratio: number): string[] => ids.filter(createSampleTrace(ratio))

it('records every trace, or none', () => {
  expect(chosenAt(1)).toHaveLength(ids.length)
  expect(chosenAt(0)).toEqual([])
})

it('records its share of the ids that requests have', () => {
  // A quarter of 20,000 has a standard deviation of 61, so ten deviations never happen by chance.
  expect(Math.abs(chosenAt(0.25).length - 5_000)).toBeLessThan(610)
})

it('records with a larger share what it records with a smaller one', () => {
  const more = new Set(chosenAt(0.5))
  expect(chosenAt(0.1).filter((id) => !more.has(id))).toEqual([])
})

it('goes by the last digits alone, from the top down, as consistent sampling does', () => {
  const half = createSampleTrace(0.5)
  expect(half(`${'0'.repeat(19)}8000000000000`)).toBe(true)
  expect(half(`${'f'.repeat(19)}7ffffffffffff`)).toBe(false)
})
