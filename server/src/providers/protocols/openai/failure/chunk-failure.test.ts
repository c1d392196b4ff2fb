import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { type OpenAiVendorSlug, openAiVendors, vendors } from '#providers/registry.ts'
import { chunkFailure } from './chunk-failure.ts'
import { fixtureOf } from '../fixtures/vendor-fixtures.ts'

const message = 'The server had an error.'

describe('a failure inside an answer', () => {
  it.each<[string, JsonObject, OpenAiVendorSlug, object]>([
    [
      'an error object',
      { error: { message, type: 'server_error', param: null, code: null } },
      'openai',
      { message, code: 'server_error' },
    ],
    ['an error text', { error: message }, 'ollama', { message }],
    [
      'an error beside a status',
      { error: { message, code: '' }, status_code: 500 },
      'cerebras',
      { message, code: 500 },
    ],
    ['an extension object', { choices: [], x_groq: { id: 'r', error: message } }, 'groq', { message }],
    [
      'an error beside a choice that ends in one',
      { error: { code: 502, message }, choices: [{ index: 0, delta: {}, finish_reason: 'error' }] },
      'openrouter',
      { message, code: 502 },
    ],
    [
      'an error inside the choice',
      { choices: [{ index: 0, delta: {}, finish_reason: 'error', error: { code: 502, message } }] },
      'openrouter',
      { message, code: 502 },
    ],
    ['an object of that kind', { object: 'error', message, code: '3000' }, 'mistral', { message, code: '3000' }],
    [
      'a verdict',
      { base_resp: { status_code: 1008, status_msg: message } },
      'minimax',
      { message, code: 'insufficient_quota' },
    ],
    [
      'an unknown verdict',
      { base_resp: { status_code: 1, status_msg: '' } },
      'minimax',
      { message: '', code: 'server_error' },
    ],
  ])('is found in %s', (_form, chunk, slug, failure) => {
    expect(chunkFailure(chunk, vendors[slug].openai)).toEqual(failure)
  })

  it('is found in a finish reason that means one, with or without words', () => {
    const chunk = { choices: [{ index: 0, delta: {}, finish_reason: 'insufficient_system_resource' }] }
    expect(chunkFailure(chunk, vendors.deepseek.openai)).toMatchObject({ code: 'insufficient_system_resource' })
    expect(chunkFailure({ choices: [{ finish_reason: 'error' }] }, vendors.openai.openai)).toBeDefined()
  })

  it.each([...openAiVendors])('is not found in any good chunk of $slug', (vendor) => {
    const fixture = fixtureOf(vendor.slug)
    const chunks = [...fixture.chunks(), fixture.completion(), { error: null }, { error: '' }, {}]
    for (const chunk of chunks) expect(chunkFailure(chunk, vendor.openai)).toBeUndefined()
  })
})
