import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { base64ToFloats, floatsToBase64, isFloatText } from './float-vectors.ts'

describe('[EMB-05] vectors as base64', () => {
  it('are 32-bit floats, the lowest byte first', () => {
    expect(floatsToBase64([1, -2, 0.5])).toBe('AACAPwAAAMAAAAA/')
    expect(base64ToFloats('AACAPwAAAMAAAAA/')).toEqual([1, -2, 0.5])
  })

  it('come back as they went, for every 32-bit float', () => {
    fc.assert(
      fc.property(fc.array(fc.float({ noNaN: true })), (numbers) => {
        expect(base64ToFloats(floatsToBase64(numbers))).toEqual(numbers)
      }),
    )
  })

  it('of wider numbers hold the nearest 32-bit float', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -1, max: 1 }), (number) => {
        expect(base64ToFloats(floatsToBase64([number]))).toEqual([Math.fround(number)])
      }),
    )
  })

  it('are told from texts that are none', () => {
    expect(['AACAPw==', 'AACAPwAAAMAAAAA/'].map(isFloatText)).toEqual([true, true])
    expect(['', 'AAAA', 'AAA', 'AACAPwA=', 'hello!'].map(isFloatText)).toEqual([false, false, false, false, false])
  })
})
