import { expect, it } from 'vitest'
import { movieDuration } from './movie-duration.ts'

const box = (type: string, ...content: readonly Buffer[]): Buffer => {
  const bytes = Buffer.concat(content)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + bytes.length)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, bytes])
}

/** A box with a 64-bit size, as in files of several gigabytes. */
const longBox = (type: string, content: Buffer): Buffer => {
  const head = Buffer.alloc(16)
  head.writeUInt32BE(1)
  head.write(type, 4, 'latin1')
  head.writeBigUInt64BE(BigInt(16 + content.length), 8)
  return Buffer.concat([head, content])
}

/** The movie header of version 0 or 1: its times, its units per second and its duration in units. */
const header = (version: 0 | 1, scale: number, units: bigint): Buffer => {
  const bytes = Buffer.alloc(version === 1 ? 32 : 20)
  bytes[0] = version
  bytes.writeUInt32BE(scale, version === 1 ? 20 : 12)
  if (version === 1) bytes.writeBigUInt64BE(units, 24)
  else bytes.writeUInt32BE(Number(units), 16)
  return box('mvhd', bytes)
}

const durationOf = (...boxes: readonly Buffer[]) => {
  const file = Buffer.concat(boxes)
  return movieDuration(async (position, length) => file.subarray(position, position + length))
}

it.each([
  [0, 1_000, 5_000n, 5_000],
  [1, 1_000, 5_000n, 5_000],
  [0, 90_000, 450_001n, 5_001],
  [1, 600, 1n, 2],
  [0, 24, 1n, 42],
] as const)(
  'version %s with %s units a second and %s units lasts %s ms, rounded up',
  async (version, scale, units, ms) => {
    expect(await durationOf(box('ftyp'), box('moov', header(version, scale, units)))).toBe(ms)
  },
)

it.each([
  ['no units a second', header(0, 0, 5_000n)],
  ['no length', header(0, 1_000, 0n)],
  ['a whole day', header(1, 1, 86_400n)],
  ['the largest number, which means unknown', header(0, 1_000, 0xffffffffn)],
  ['a header that is cut off', box('mvhd', Buffer.alloc(19))],
  ['no header', box('trak')],
])('a movie with %s has no known length', async (_name, content) => {
  expect(await durationOf(box('moov', content))).toBeNull()
})

it('is less than a day', async () => {
  expect(await durationOf(box('moov', header(1, 1_000, 86_399_999n)))).toBe(86_399_999)
})

it('finds the index behind the pictures, behind other boxes and in boxes of 64 bits', async () => {
  const index = box('moov', box('udta'), header(0, 1_000, 7_000n))
  expect(await durationOf(box('ftyp'), longBox('mdat', Buffer.alloc(100)), index)).toBe(7_000)
  expect(await durationOf(box('ftyp'), longBox('moov', header(0, 1_000, 7_000n)))).toBe(7_000)
})

it.each([
  ['nothing', Buffer.alloc(0)],
  ['text', Buffer.from('this is no movie at all')],
  ['a box that ends before it begins', Buffer.from([0, 0, 0, 7, 0x66, 0x72, 0x65, 0x65])],
  ['pictures to the end of the file', Buffer.concat([Buffer.alloc(4), Buffer.from('mdat'), header(0, 1, 9n)])],
])('%s is no movie', async (_name, bytes) => {
  expect(await durationOf(bytes)).toBeNull()
})
