import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { isUuid, newUuid, nextUuid, uuidTimeMs } from './uuid.ts'

it('an id is a UUID version 7 that keeps its moment and sorts by it', () => {
  const moment = fc.integer({ min: 0, max: 2 ** 47 })
  fc.assert(
    fc.property(moment, moment, (one, other) => {
      const [first, second] = [newUuid(one), newUuid(other)]
      expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(isUuid(first)).toBe(true)
      expect(uuidTimeMs(first)).toBe(one)
      if (one < other) expect(first < second).toBe(true)
    }),
  )
})

it('no two ids of one moment are alike', () => {
  const ids = new Set(Array.from({ length: 10_000 }, () => newUuid(1_800_000_000_000)))
  expect(ids.size).toBe(10_000)
})

it.each([
  ['00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000001'],
  ['0190a1b2-c3d4-7e5f-8a6b-ffffffffffff', '0190a1b2-c3d4-7e5f-8a6c-000000000000'],
  ['0fffffff-ffff-ffff-ffff-ffffffffffff', '10000000-0000-0000-0000-000000000000'],
  ['ffffffff-ffff-ffff-ffff-ffffffffffff', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
])('after %s comes %s', (id, next) => {
  expect(nextUuid(id)).toBe(next)
})
