import { describe, expect, it } from 'vitest'
import { assert } from '#lib/assert.ts'
import {
  geminiRefusal,
  type GeminiRefusalCause,
  geminiRefusalCauses,
} from '#test/simulators/protocols/gemini/gemini-refusal.ts'
import { readFailure } from './read-failure.ts'

const expected: Record<GeminiRefusalCause, ReturnType<typeof expect.objectContaining>> = {
  'rate-limited': expect.objectContaining({
    action: 'retry',
    errorName: 'upstreamRateLimited',
    retryAfterMs: 34_400,
  }),
  'daily-quota': expect.objectContaining({
    action: 'fail-over',
    errorName: 'upstreamRateLimited',
  }),
  exhausted: expect.objectContaining({ action: 'retry', errorName: 'upstreamRateLimited', retryAfterMs: null }),
  'no-credits': expect.objectContaining({
    action: 'fail-over',
    message: 'The upstream is currently unavailable to this gateway.',
  }),
  overloaded: expect.objectContaining({ action: 'retry', errorName: 'upstreamUnavailable', status: 503 }),
  internal: expect.objectContaining({ action: 'retry', errorName: 'upstreamUnavailable' }),
  'invalid-key': expect.objectContaining({ action: 'fail-over', errorName: 'upstreamAuthFailed' }),
  'permission-denied': expect.objectContaining({ action: 'fail-over', errorName: 'upstreamAuthFailed' }),
  'unserved-region': expect.objectContaining({ action: 'fail-over' }),
  'model-not-found': expect.objectContaining({
    action: 'fail-over',
    message: 'The upstream does not currently offer this model.',
  }),
  'context-too-long': expect.objectContaining({
    action: 'give-up',
    errorName: 'contextTooLong',
    message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
  }),
  'bad-argument': expect.objectContaining({
    action: 'give-up',
    errorName: 'unknownUpstream4xx',
    message: 'Unable to process input image.',
  }),
}

describe.each(geminiRefusalCauses)('a refusal of Gemini: %s', (cause) => {
  it.each(['object', 'array'] as const)('[ERR-10] [ERR-20] is understood as an %s', (form) => {
    const [head, body] = geminiRefusal(cause, form).steps
    assert(head?.do === 'head' && body?.do === 'write', 'a refusal is a head and a body')
    expect(readFailure(head.status, head.headers, body.text)).toEqual(expected[cause])
  })
})

describe('a refusal of Gemini', () => {
  it('shows its own words to us alone where they are about our account', () => {
    const [, body] = geminiRefusal('rate-limited').steps
    assert(body?.do === 'write', 'a refusal has a body')
    const refusal = readFailure(429, {}, body.text)
    expect(refusal.inside).toContain('current quota')
    expect(refusal.message).not.toContain('quota')
  })

  it('[ERR-20] may come from a proxy that knows nothing of Gemini', () => {
    expect(readFailure(502, { 'retry-after': '2' }, '<html>')).toMatchObject({ action: 'retry', retryAfterMs: 2_000 })
  })
})
