import { describe, expect, it } from 'vitest'
import { ContextMeter } from './context-meter.ts'

describe('the context of a realtime session', () => {
  it('[NEXT-203] has at most a token for each byte of an event, each 50 ms of audio and each token of output', () => {
    const meter = new ContextMeter({}, 2_400)
    const start = meter.tokensMax
    meter.addEvent({ text: 'ä' })
    expect(meter.tokensMax - start).toBe(13)
    meter.addAudio(2_401)
    expect(meter.tokensMax - start).toBe(15)
    meter.noteFormat(400)
    // The upstream may go on with the other one.
    meter.noteFormat(2_400)
    meter.addAudio(2_400)
    expect(meter.tokensMax - start).toBe(21)
    meter.addItem(100)
    expect(meter.tokensMax - start).toBe(137)
  })
})
