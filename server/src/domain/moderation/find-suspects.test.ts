import { expect, it } from 'vitest'
import { createLiteralScan } from '#lib/literal-scan.ts'
import { findSuspects } from './find-suspects.ts'

const scan = createLiteralScan(['needle'])
const hay = 'hay '.repeat(1_000)

it('finds nothing in texts without a needle', () => {
  expect(findSuspects(['', 'hay', hay], scan)).toEqual([])
})

it('cuts a short piece out of a long text, and says where it was', () => {
  const [piece, ...others] = findSuspects([hay, `${hay}needle${hay}`], scan)
  expect(others).toEqual([])
  expect(piece).toMatchObject({ text: 1, start: 3_400 })
  expect(piece?.content).toHaveLength(1_200)
  expect(piece?.content.indexOf('needle')).toBe(600)
})

it('makes one piece of needles that stand close, and several of those that do not', () => {
  const close = `needle ${'x'.repeat(1_000)} needle`
  expect(findSuspects([close], scan)).toEqual([{ text: 0, start: 0, content: close }])
  expect(findSuspects([`needle${hay}needle`], scan).map(({ start }) => start)).toEqual([0, 3_406])
})

it('has at least 300 characters before and after every needle, and takes a text of needles alone in strides', () => {
  const text = `${hay}needle${'x'.repeat(298)}needle${'y'.repeat(250)}needle${hay}`
  const pieces = findSuspects([text], scan)
  for (let place = text.indexOf('needle'); place !== -1; place = text.indexOf('needle', place + 1)) {
    expect(pieces.some(({ start, content }) => start <= place - 300 && place + 300 <= start + content.length)).toBe(
      true,
    )
  }
  let looks = 0
  const counting = (where: string, from?: number): number => {
    looks += 1
    return scan(where, from)
  }
  const needles = 'needle'.repeat(10_000)
  expect(findSuspects([needles], counting)).toEqual([{ text: 0, start: 0, content: needles }])
  expect(looks).toBeLessThan(250)
})
