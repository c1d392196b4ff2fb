import { assert, nat, property, uint8Array } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wavLengthMs } from './wav-length.ts'

describe('the length of a WAV file by its header', () => {
  it('is that of its samples', () => {
    expect(wavLengthMs(wavHead(), 44 + 32_000)).toBe(1_000)
    expect(wavLengthMs(wavHead({ rate: 44_100, channels: 2 }), 44 + 44_100 * 4 * 3)).toBe(3_000)
    expect(wavLengthMs(wavHead({ bits: 8, format: 7, rate: 8_000 }), 44 + 12_000)).toBe(1_500)
  })

  it('rounds up to a millisecond, because it is what may come', () => {
    expect(wavLengthMs(wavHead(), 44 + 1)).toBe(1)
  })

  it('counts the bytes that are there, not those that the header states', () => {
    for (const dataBytes of [0, 1, 0xffffffff]) expect(wavLengthMs(wavHead({ dataBytes }), 44 + 64_000)).toBe(2_000)
  })

  it('finds the samples behind other chunks, of odd length too', () => {
    const list = Buffer.concat([Buffer.from('LIST\x03\x00\x00\x00abc\x00', 'latin1')])
    const head = wavHead()
    const mixed = Buffer.concat([head.subarray(0, 36), list, head.subarray(36)])
    expect(wavLengthMs(mixed, mixed.length + 32_000)).toBe(1_000)
  })

  it.each([
    ['bytes per second that do not fit', wavHead({ bytesPerSecond: 4_000_000_000 })],
    ['frames that do not fit', wavHead({ bytesPerFrame: 60_000 })],
    ['no sample rate', wavHead({ rate: 0 })],
    ['an absurd sample rate', wavHead({ rate: 1_000_000_000 })],
    ['no channels', wavHead({ channels: 0 })],
    ['a compressed format', wavHead({ format: 2 })],
    ['nothing behind the format', wavHead().subarray(0, 36)],
    ['samples before the format', Buffer.concat([wavHead().subarray(0, 12), wavHead().subarray(36)])],
    ['two formats', Buffer.concat([wavHead().subarray(0, 36), wavHead().subarray(12)])],
    ['a chunk that never ends', Buffer.from('RIFF\0\0\0\0WAVELIST\xff\xff\xff\xff', 'latin1')],
    ['no WAVE', Buffer.from('RIFF\0\0\0\0AVI fmt ', 'latin1')],
    ['nothing', Buffer.alloc(0)],
  ])('is not known with %s', (_, head) => {
    expect(wavLengthMs(head, 10_000_000)).toBeNull()
  })

  it('survives anything, and never gives what cannot be charged', () => {
    assert(
      property(uint8Array({ maxLength: 120 }), nat(44), nat(10_485_760), (noise, at, byteCount) => {
        const head = wavHead()
        head.set(noise.slice(0, Math.max(0, head.length - at)), at)
        const length = wavLengthMs(head, byteCount)
        expect(length === null || (Number.isSafeInteger(length) && length >= 0)).toBe(true)
      }),
    )
  })
})

interface Head {
  format: number
  channels: number
  rate: number
  bits: number
  bytesPerFrame: number
  bytesPerSecond: number
  dataBytes: number
}

function wavHead(changes: Partial<Head> = {}): Buffer {
  const { format = 1, channels = 1, rate = 16_000, bits = 16 } = changes
  const { bytesPerFrame = (channels * bits) / 8, dataBytes = 32_000 } = changes
  const { bytesPerSecond = rate * bytesPerFrame } = changes
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(format, 20)
  head.writeUInt16LE(channels, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(bytesPerSecond, 28)
  head.writeUInt16LE(bytesPerFrame, 32)
  head.writeUInt16LE(bits, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(dataBytes, 40)
  return head
}
