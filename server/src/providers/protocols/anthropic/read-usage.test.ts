import { describe, expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import type { JsonObject } from '#lib/json.ts'
import { mergeUsage, readMessageUsage } from './read-usage.ts'

describe('the usage of a message', () => {
  it('[P9] counts every token in one class', () => {
    const usage = {
      input_tokens: 10,
      cache_read_input_tokens: 20,
      cache_creation_input_tokens: 35,
      cache_creation: { ephemeral_5m_input_tokens: 30, ephemeral_1h_input_tokens: 5 },
      output_tokens: 50,
      output_tokens_details: { thinking_tokens: 8 },
    }
    expect(readMessageUsage(usage)).toEqual({
      ...noUsage,
      uncachedInput: 10,
      cacheRead: 20,
      cacheWrite5m: 30,
      cacheWrite1h: 5,
      textOutput: 42,
      reasoningOutput: 8,
    })
  })

  it.each([
    [{ cache_creation_input_tokens: 7 }, 7, 0],
    [{ cache_creation: { ephemeral_1h_input_tokens: 4 } }, 0, 4],
    [{ cache_creation_input_tokens: 9, cache_creation: { ephemeral_1h_input_tokens: 4 } }, 5, 4],
    [{ cache_creation_input_tokens: 3, cache_creation: { ephemeral_1h_input_tokens: 4 } }, 0, 3],
    [{ cache_creation_input_tokens: null, cache_creation: null }, 0, 0],
  ])('[P9] divides what was written to the cache by its lifetime: %j', (fields, short, long) => {
    const usage = readMessageUsage({ input_tokens: 1, output_tokens: 1, ...fields })
    expect(usage).toMatchObject({ cacheWrite5m: short, cacheWrite1h: long, uncachedInput: 1 })
  })

  it.each<[number, JsonObject]>([
    [3, { web_search_requests: 3, web_fetch_requests: 9 }],
    [0, { web_search_requests: 0 }],
    [0, { web_fetch_requests: 2 }],
    [0, {}],
  ])('[M2] counts %i searches of the web: %j', (searches, tools) => {
    const usage = readMessageUsage({ input_tokens: 1, output_tokens: 1, server_tool_use: tools })
    expect(usage?.media).toEqual(searches === 0 ? undefined : { webSearches: searches })
  })

  it.each<[string, JsonObject[], object]>([
    [
      'a compaction',
      [
        { type: 'compaction', input_tokens: 180_000, output_tokens: 3_500 },
        { type: 'message', input_tokens: 23_000, output_tokens: 1_000 },
      ],
      { uncachedInput: 203_000, textOutput: 4_500 },
    ],
    [
      'an advisor, who wrote to a cache of its own',
      [
        {
          type: 'advisor_message',
          model: 'claude-opus-5',
          input_tokens: 1_000,
          output_tokens: 200,
          cache_read_input_tokens: 30,
          cache_creation_input_tokens: 9,
          cache_creation: { ephemeral_1h_input_tokens: 4, ephemeral_5m_input_tokens: 5 },
        },
      ],
      { uncachedInput: 24_000, textOutput: 1_200, cacheRead: 30, cacheWrite5m: 5, cacheWrite1h: 4 },
    ],
    [
      'only itself',
      [{ type: 'message', input_tokens: 9, output_tokens: 9 }],
      { uncachedInput: 23_000, textOutput: 1_000 },
    ],
    ['a fallback', [{ type: 'fallback_message', input_tokens: 9, output_tokens: 9 }], { uncachedInput: 23_000 }],
  ])('V1: adds what stands beside the counts at the top: %s', (_what, iterations, classes) => {
    const usage = readMessageUsage({ input_tokens: 23_000, output_tokens: 1_000, iterations })
    expect(usage).toMatchObject(classes)
  })

  it('V1: of a message that paused after a compaction is that of the compaction', () => {
    const iterations = [{ type: 'compaction', input_tokens: 180_000, output_tokens: 3_500 }]
    const compacted = { ...noUsage, uncachedInput: 180_000, textOutput: 3_500 }
    expect(readMessageUsage({ input_tokens: 0, output_tokens: 0, iterations })).toEqual(compacted)
    expect(readMessageUsage({ iterations })).toEqual(compacted)
  })

  it('is none where nothing was counted, and zero where zero was', () => {
    expect(readMessageUsage({})).toBeUndefined()
    expect(readMessageUsage({ input_tokens: 'many' })).toBeUndefined()
    expect(readMessageUsage({ input_tokens: 0, output_tokens: 0 })).toEqual(noUsage)
  })

  it('[P7] replaces what a later report holds and keeps the rest', () => {
    const merged = mergeUsage({ input_tokens: 5, output_tokens: 1 }, { output_tokens: 9, input_tokens: null })
    expect(merged).toEqual({ input_tokens: 5, output_tokens: 9 })
  })
})
