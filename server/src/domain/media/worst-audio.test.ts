import { describe, expect, it } from 'vitest'
import { worstAudio } from './worst-audio.ts'

describe('the most that a recording may come to', () => {
  it('takes bytes of unknown kind for the thinnest speech there is', () => {
    expect(worstAudio({ head: Buffer.alloc(12), byteCount: 7_500 }, 0)).toMatchObject({
      audioInput: 100,
      textOutput: 100,
      media: { inputAudioMs: 10_000 },
    })
  })

  it('believes a header that says more seconds up to what the largest body can be', () => {
    const slowest = Buffer.from(
      '524946462400000057415645666d7420100000000100010001000000010000000100080064617461ffffffff',
      'hex',
    )
    const { media } = worstAudio({ head: slowest, byteCount: 10_485_760 }, 0)
    expect(media?.inputAudioMs).toBe(Math.ceil((10_485_760 * 8) / 6))
  })

  it('counts the words of a prompt beside it', () => {
    expect(worstAudio({ head: Buffer.alloc(0), byteCount: 0 }, 12)).toMatchObject({ uncachedInput: 12, audioInput: 0 })
  })
})
