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
