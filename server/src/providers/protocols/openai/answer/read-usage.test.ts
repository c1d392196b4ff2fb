import { describe, expect, it } from 'vitest'
import { completionTokensOf, noUsage, promptTokensOf, type Usage } from '#domain/inference/usage.ts'
import type { JsonObject } from '#lib/json.ts'
import { openAiVendors, vendors } from '#providers/registry.ts'
import { type OpenAiQuirks, openAiCounting } from '#providers/spec.ts'
import { fixtureOf } from '../fixtures/vendor-fixtures.ts'
import { readUsage } from './read-usage.ts'

const plain: OpenAiQuirks = { streamUsage: 'ask', counting: openAiCounting }
const rows = openAiVendors.map(({ slug, openai }) => ({
  slug,
  quirks: openai,
  fixture: fixtureOf(slug),
}))

describe.each(rows)('usage of $slug', ({ quirks, fixture }) => {
  it('[P9] [USAGE-07] [USAGE-12] [USAGE-13] is the same streamed and whole, and sums to the total', () => {
    const streamed = lastUsage(fixture.chunks(), quirks)
    const whole = readUsage(fixture.completion(), quirks)
    expect(streamed).toEqual(fixture.usage)
    expect(whole).toEqual(fixture.usage)
    const read = streamed ?? noUsage
    expect(promptTokensOf(read) + completionTokensOf(read)).toBe(fixture.totalTokens)
  })
})

describe('usage', () => {
  const usage = { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 }
  const read = { ...noUsage, uncachedInput: 10, textOutput: 4 }

  it.each<[string, JsonObject]>([
    ['beside no choices', { choices: [], usage }],
    ['beside a finish reason', { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage }],
    ['beside text', { choices: [{ index: 0, delta: { content: 'a' } }], usage }],
    ['without choices at all', { usage }],
  ])('[P7] [USAGE-06] is found %s', (_where, chunk) => {
    expect(readUsage(chunk, plain)).toEqual(read)
  })

  it('[P8] is a report when it is all zero, and none when it is absent', () => {
    expect(readUsage({ usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } }, plain)).toEqual(noUsage)
    for (const nothing of [{}, { usage: null }, { usage: {} }, { usage: [] }, { usage: { prompt_tokens: -1 } }]) {
      expect(readUsage(nothing, plain)).toBeUndefined()
    }
  })

  it('[USAGE-08] [USAGE-12] takes cached, written and heard tokens out of the prompt once', () => {
    const details = { cached_tokens: 5, cache_write_tokens: 2, audio_tokens: 1 }
    const chunk = { usage: { ...usage, prompt_tokens_details: details } }
    const expected = { uncachedInput: 2, cacheRead: 5, cacheWrite5m: 2, audioInput: 1 }
    expect(readUsage(chunk, plain)).toEqual({ ...read, ...expected })
  })

  it.each<[string, JsonObject]>([
    ['num_cached_tokens', { num_cached_tokens: 5 }],
    ['prompt_token_details', { prompt_token_details: { cached_tokens: 5 } }],
    ['prompt_tokens_details', { prompt_tokens_details: { cached_tokens: 5 } }],
  ])('[M4] finds the cached tokens of Mistral in %s', (_place, details) => {
    const { openai } = vendors.mistral
    expect(readUsage({ usage: { ...usage, ...details } }, openai)).toEqual({ ...read, uncachedInput: 5, cacheRead: 5 })
  })

  it('[USAGE-13] takes thoughts, images and sound out of the completion once', () => {
    const details = { reasoning_tokens: 1, image_tokens: 1, audio_tokens: 1 }
    const chunk = { usage: { ...usage, completion_tokens_details: details } }
    const expected = { textOutput: 1, reasoningOutput: 1, imageOutput: 1, audioOutput: 1 }
    expect(readUsage(chunk, plain)).toEqual({ ...read, ...expected })
  })

  it('[P9] believes the total about where reasoning is counted, before the habit of the host', () => {
    const inside = { ...usage, completion_tokens_details: { reasoning_tokens: 3 } }
    const beside = { ...inside, total_tokens: 17 }
    const [thoughtInside, thoughtBeside] = [1, 4].map((textOutput) => ({ ...read, textOutput, reasoningOutput: 3 }))
    for (const quirks of [plain, vendors.xai.openai]) {
      expect(readUsage({ usage: inside }, quirks)).toEqual(thoughtInside)
      expect(readUsage({ usage: beside }, quirks)).toEqual(thoughtBeside)
    }
  })

  it('[USAGE-13] follows the habit of the host where no total was sent', () => {
    const chunk = {
      usage: { prompt_tokens: 10, completion_tokens: 4, completion_tokens_details: { reasoning_tokens: 3 } },
    }
    expect(readUsage(chunk, plain)).toEqual({ ...read, textOutput: 1, reasoningOutput: 3 })
    expect(readUsage(chunk, vendors.xai.openai)).toEqual({ ...read, textOutput: 4, reasoningOutput: 3 })
  })

  it('[USAGE-13] counts the reasoning of deep research beside the completion, whatever the total', () => {
    const chunk = { usage: { ...usage, reasoning_tokens: 900, citation_tokens: 8 } }
    const media = { citationTokens: 8 }
    expect(readUsage(chunk, vendors.perplexity.openai)).toEqual({ ...read, reasoningOutput: 900, media })
  })

  it.each<[string, JsonObject, Usage['media'], number?]>([
    [
      'one fee, whatever it searched',
      { num_search_queries: 3, search_context_size: 'high', cost: { request_cost: 0.012, total_cost: 0.02 } },
      { webSearches: 1, variant: { search_context_size: 'high' } },
      20_000_000,
    ],
    [
      'each query of deep research, and what it quotes',
      { num_search_queries: 74, citation_tokens: 7_299, cost: { search_queries_cost: 0.37, total_cost: 0.6 } },
      { webSearches: 74, citationTokens: 7_299 },
      600_000_000,
    ],
    ['its queries where it states no cost', { num_search_queries: 2 }, { webSearches: 2 }],
    ['nothing that it did not bill', { num_search_queries: 2, cost: { search_queries_cost: 0 } }, undefined],
    ['nothing where it did not search', { search_context_size: 'low', cost: { request_cost: 0 } }, undefined],
    ['nothing that is no number', { num_search_queries: -1, citation_tokens: 'many' }, undefined],
  ])('[M1] counts of Perplexity %s', (_what, stated, media, upstreamNano) => {
    const chunk = { usage: { ...usage, ...stated } }
    const counted = { ...read, ...(media === undefined ? {} : { media }) }
    const whole = upstreamNano === undefined ? counted : { ...counted, upstreamNano }
    expect(readUsage(chunk, vendors.perplexity.openai)).toEqual(whole)
  })

  it('[M1] counts one search of an OpenAI model that searches before each answer, and none of another', () => {
    const quirks = vendors.openai.openai
    for (const model of ['gpt-4o-search-preview', 'gpt-4o-mini-search-preview-2025-03-11', 'gpt-5-search-api']) {
      expect(readUsage({ model, usage }, quirks)).toEqual({ ...read, media: { webSearches: 1 } })
    }
    for (const model of ['gpt-5.2', 'research-preview', undefined]) {
      expect(readUsage({ model, usage }, quirks)).toEqual(read)
    }
  })

  it.each([
    ['sources of xAI', vendors.xai.openai, { num_sources_used: 4 }],
    ['searches of OpenRouter', vendors.openrouter.openai, { server_tool_use: { web_search_requests: 4 } }],
  ])('[M1] counts the %s', (_what, quirks, stated) => {
    expect(readUsage({ usage: { ...usage, ...stated } }, quirks)).toEqual({ ...read, media: { webSearches: 4 } })
  })

  it('[P7] is found at the top level of a chunk of Moonshot and in the choice of its older models', () => {
    const { openai } = vendors.moonshotai
    expect(readUsage({ choices: [{ usage }] }, openai)).toEqual(read)
    expect(readUsage({ choices: [], usage: { ...usage, cached_tokens: 6 } }, openai)).toMatchObject({ cacheRead: 6 })
  })
})

function lastUsage(chunks: readonly JsonObject[], quirks: OpenAiQuirks): Usage | undefined {
  return chunks.map((chunk) => readUsage(chunk, quirks)).findLast((usage) => usage !== undefined)
}
