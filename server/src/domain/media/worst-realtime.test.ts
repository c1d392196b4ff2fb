import { assert, constant, integer, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chargeFor } from '#domain/money/charge.ts'
import { parseUnitPrices, type PriceList } from '#domain/money/price-list.ts'
import { worstChargeOf } from '#domain/money/worst-charge.ts'
import { readRealtimeAnswer } from '#providers/realtime/read-response.ts'
import { realtimeInputMax, realtimeOutputMax, worstRealtime } from './worst-realtime.ts'

const price = integer({ min: 0, max: 100_000 }).map((nano) => (nano / 1e9).toFixed(9))
const listArbitrary = record(
  {
    prompt: price,
    completion: price,
    audio_input: price,
    audio_output: price,
    cache_read: price,
    audio_cache_read: price,
  },
  { requiredKeys: ['prompt', 'completion', 'audio_input', 'audio_output'] },
).map((units): PriceList => ({ id: 'list', base: parseUnitPrices(units), tiers: [] }))

const count = (max: number) => integer({ min: 0, max })

/** The usage of a response within its bounds, as an upstream may report it. */
const boundedUsage = record({ input: count(40_000), output: count(5_000) }).chain(({ input, output }) =>
  record({
    bounds: constant({ input, output }),
    usage: record({
      input_tokens: count(input),
      output_tokens: count(output),
      input_token_details: record({
        audio_tokens: count(input),
        cached_tokens: count(input),
        cached_tokens_details: record({ audio_tokens: count(input) }),
      }),
      output_token_details: record({ audio_tokens: count(output) }),
    }),
  }),
)

describe('the hold of a realtime response', () => {
  it('[NEXT-203] covers the charge of every usage within its bounds, at every price', () => {
    assert(
      property(listArbitrary, boundedUsage, (list, { bounds, usage }) => {
        const task = { kind: 'realtime', inputTokensMax: bounds.input, outputTokensMax: bounds.output } as const
        const held = worstChargeOf(worstRealtime(task), list)
        const { usage: read } = readRealtimeAnswer({ usage })
        expect(read).not.toBeNull()
        if (read !== null) expect(chargeFor(read, list).cost).toBeLessThanOrEqual(held)
      }),
      { numRuns: 500 },
    )
  })

  it('[NEXT-203] is bounded by the context and the stated output of the model', () => {
    const model = { contextLength: 32_000, maxCompletionTokens: 4_096 }
    const worst = worstRealtime({ kind: 'realtime', inputTokensMax: null, outputTokensMax: null }, model as never)
    expect(worst).toMatchObject({ uncachedInput: 32_000, audioInput: 32_000, textOutput: 4_096, audioOutput: 4_096 })
    expect(realtimeInputMax({ contextLength: null })).toBe(1_048_576)
    expect([realtimeOutputMax(null, 8_192), realtimeOutputMax(16, 8_192), realtimeOutputMax(null, null)]).toEqual([
      8_192, 16, 4_096,
    ])
  })
})
