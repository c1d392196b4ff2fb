import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { eventFrame, eventOf, exceptionOf } from '#test/simulators/protocols/bedrock/event-frame.ts'
import { createFrameSplitter } from './frame-splitter.ts'

/** Frames that Amazon's own decoder accepts. */
const vectors = [
  {
    type: 'messageStart',
    payload: '{"p":"abcd","role":"assistant"}',
    hex: '00000081000000526cc176930b3a6576656e742d7479706507000c6d65737361676553746172740d3a636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e0d3a6d6573736167652d747970650700056576656e747b2270223a2261626364222c22726f6c65223a22617373697374616e74227df512a005',
  },
  {
    type: 'contentBlockDelta',
    payload: '{"contentBlockIndex":0,"delta":{"text":"Hi"},"p":"abcdefgh"}',
    hex: '000000a300000057a7aafe780b3a6576656e742d74797065070011636f6e74656e74426c6f636b44656c74610d3a636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e0d3a6d6573736167652d747970650700056576656e747b22636f6e74656e74426c6f636b496e646578223a302c2264656c7461223a7b2274657874223a224869227d2c2270223a226162636465666768227d0bca37be',
  },
  {
    type: 'throttlingException',
    payload: '{"message":"Too many requests"}',
    hex: '00000090000000618e91a9b70f3a657863657074696f6e2d747970650700137468726f74746c696e67457863657074696f6e0d3a636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e0d3a6d6573736167652d74797065070009657863657074696f6e7b226d657373616765223a22546f6f206d616e79207265717565737473227de67f8005',
  },
]
const whole = Buffer.concat(vectors.map(({ hex }) => Buffer.from(hex, 'hex')))

describe('createFrameSplitter', () => {
  it.each(vectors)('reads the $type of another encoder', ({ type, payload, hex }) => {
    expect(split([Buffer.from(hex, 'hex')])).toEqual({ frames: [`${type} ${payload}`], faults: [], isBetween: true })
  })

  it('is checked by simulators that write the same bytes', () => {
    const [start, delta, exception] = vectors.map(({ hex }) => hex)
    expect(eventOf('messageStart', { p: 'abcd', role: 'assistant' }).toString('hex')).toBe(start)
    const hi = { contentBlockIndex: 0, delta: { text: 'Hi' }, p: 'abcdefgh' }
    expect(eventOf('contentBlockDelta', hi).toString('hex')).toBe(delta)
    expect(exceptionOf('throttlingException', { message: 'Too many requests' }).toString('hex')).toBe(exception)
  })

  it('reads frames cut anywhere, down to single bytes', () => {
    const expected = split([whole])
    expect(expected.frames).toHaveLength(3)
    for (let at = 0; at <= whole.length; at += 1) {
      expect(split([whole.subarray(0, at), whole.subarray(at)])).toEqual(expected)
    }
    expect(split([...whole].map((byte) => Buffer.of(byte)))).toEqual(expected)
  })

  it('stops at a single changed bit, wherever it is, and says so once', () => {
    for (let at = 0; at < whole.length; at += 1) {
      const bytes = Buffer.from(whole)
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
      const { frames, faults } = split([bytes, whole])
      expect(faults).toHaveLength(1)
      const before = [129, 292].filter((end) => at >= end).length
      expect(frames).toHaveLength(before)
    }
  })

  it('passes over headers of every other type', () => {
    const plain = eventFrame({ a: 'text' }, '{}')
    const others = [
      [0],
      [1],
      [2, 1],
      [3, 0, 1],
      [4, 0, 0, 0, 1],
      [5, ...bytesOf(8)],
      [6, 0, 2, 9, 9],
      [8, ...bytesOf(8)],
      [9, ...bytesOf(16)],
    ]
    const extra = Buffer.concat(others.map((value) => Buffer.from([1, 0x62, ...value])))
    const headers = Buffer.concat([extra, plain.subarray(12, -6)])
    const seen: string[] = []
    const splitter = createFrameSplitter({
      onFrame: (frame) => seen.push(JSON.stringify([...frame.headers])),
      onBroken: (reason) => seen.push(reason),
    })
    splitter.push(rebuilt(headers, '{}'))
    expect(seen).toEqual(['[["a","text"]]'])
  })

  it.each([
    ['a length that runs past the headers', Buffer.from([1, 0x61, 7, 0, 9, 0x62])],
    ['a name that runs past the headers', Buffer.from([200, 0x61])],
    ['a type that does not exist', Buffer.from([1, 0x61, 10])],
    ['a missing length', Buffer.from([1, 0x61, 7, 0])],
  ])('stops at headers with %s', (_, headers) => {
    expect(split([rebuilt(headers, '')]).faults).toEqual(['the frame headers are unreadable'])
  })

  it('waits for no frame that is larger than any may be', () => {
    const lengths = rebuilt(Buffer.alloc(0), '').subarray(0, 8)
    lengths.writeUInt32BE(25 * 1_024 * 1_024, 0)
    expect(split([Buffer.concat([lengths, sumOf(lengths)])]).faults).toEqual(['a frame is too large'])
    lengths.writeUInt32BE(15, 0)
    expect(split([Buffer.concat([lengths, sumOf(lengths)])]).faults).toEqual(['a frame is shorter than its headers'])
  })
})

function split(pieces: readonly Buffer[]): { frames: string[]; faults: string[]; isBetween: boolean } {
  const frames: string[] = []
  const faults: string[] = []
  const splitter = createFrameSplitter({
    onFrame: ({ headers, payload }) =>
      frames.push(`${headers.get(':event-type') ?? headers.get(':exception-type')} ${payload.toString()}`),
    onBroken: (reason) => faults.push(reason),
  })
  for (const piece of pieces) splitter.push(piece)
  return { frames, faults, isBetween: splitter.isBetweenFrames }
}

/** A frame with these header bytes. */
function rebuilt(headers: Buffer, payload: string): Buffer {
  const lengths = Buffer.alloc(8)
  lengths.writeUInt32BE(headers.length + payload.length + 16, 0)
  lengths.writeUInt32BE(headers.length, 4)
  const head = Buffer.concat([lengths, sumOf(lengths), headers, Buffer.from(payload)])
  return Buffer.concat([head, sumOf(head)])
}

function sumOf(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(bytes))
  return sum
}

function bytesOf(count: number): number[] {
  return Array.from({ length: count }, () => 1)
}
