import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { emptyUsage } from '#test/setup/empty-usage.ts'
import { usualUsage } from '#test/simulators/realtime/realtime-upstream.ts'
import { readRealtimeAnswer } from './read-response.ts'

describe('the usage of a realtime response', () => {
  it('[NEXT-202] counts each token once: as text or audio, and as cached or not', () => {
    expect(readRealtimeAnswer({ status: 'completed', usage: usualUsage }).usage).toEqual({
      ...emptyUsage,
      uncachedInput: 40,
      cacheRead: 64,
      audioInput: 15,
      textOutput: 3,
      audioOutput: 10,
      media: { cachedAudioTokens: 4 },
    })
  })

  it('counts tokens without details as text', () => {
    const { usage } = readRealtimeAnswer({ usage: { input_tokens: 10, output_tokens: 5 } })
    expect(usage).toEqual({ ...emptyUsage, uncachedInput: 10, textOutput: 5 })
  })

  it.each<[string, JsonObject]>([
    ['no usage', {}],
    ['usage of null', { usage: null }],
    ['usage without a sum', { usage: { input_tokens: 10 } }],
    ['a negative sum', { usage: { input_tokens: -1, output_tokens: 5 } }],
  ])('is unknown with %s', (_name, response) => {
    expect(readRealtimeAnswer(response).usage).toBeNull()
  })

  it.each<[JsonObject, string | null]>([
    [{ status: 'completed' }, 'stop'],
    [{ status: 'cancelled', status_details: { reason: 'turn_detected' } }, 'stop'],
    [{ status: 'incomplete', status_details: { reason: 'max_output_tokens' } }, 'length'],
    [{ status: 'incomplete', status_details: { reason: 'content_filter' } }, 'content_filter'],
    [{ status: 'failed' }, 'error'],
    [{}, null],
  ])('finishes %j with %s', (response, reason) => {
    expect(readRealtimeAnswer(response).finishReason).toBe(reason)
  })
})
