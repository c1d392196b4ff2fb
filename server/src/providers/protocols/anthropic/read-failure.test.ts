import { describe, expect, it } from 'vitest'
import { assert } from '#lib/assert.ts'
import { type AnthropicCause, anthropicError } from '#test/simulators/protocols/anthropic/anthropic-error.ts'
import type { UpstreamRefusal } from '#providers/refusal.ts'
import { readMessagesFailure } from './read-failure.ts'

function readCause(cause: AnthropicCause): UpstreamRefusal {
  const [head, body] = anthropicError(cause).steps
  assert(head?.do === 'head' && body?.do === 'write', 'an error is a head and a body')
  return readMessagesFailure(head.status, head.headers, body.text)
}

describe('a refusal by Anthropic', () => {
  it.each([
    ['rate-limited', 'retry', 'upstreamRateLimited'],
    ['overloaded', 'retry', 'upstreamUnavailable'],
    ['server-error', 'retry', 'upstreamUnavailable'],
    ['timed-out', 'retry', 'upstreamUnavailable'],
    ['billing', 'fail-over', 'upstreamUnavailable'],
    ['no-credit', 'fail-over', 'upstreamUnavailable'],
    ['invalid-key', 'fail-over', 'upstreamAuthFailed'],
    ['forbidden', 'fail-over', 'upstreamAuthFailed'],
    ['model-not-found', 'fail-over', 'upstreamUnavailable'],
    ['too-large', 'give-up', 'bodyTooLarge'],
    ['context-too-long', 'give-up', 'contextTooLong'],
    ['cap-too-high', 'give-up', 'maxTokensInvalid'],
    ['output-filtered', 'give-up', 'contentModeration'],
    ['unknown-field', 'give-up', 'unsupportedParam'],
    ['bad-request', 'give-up', 'unknownUpstream4xx'],
  ] as const)('[ERR-07] [ERR-10] is understood: %s', (cause, action, errorName) => {
    expect(readCause(cause)).toMatchObject({ action, errorName })
  })

  it.each([
    ['Your credit balance is too low to access the Anthropic API.', 'upstreamUnavailable', true],
    ['You have reached your specified API usage limits.', 'upstreamUnavailable', true],
    ["metadata: 'credit balance is too low' is not an id", 'unknownUpstream4xx', undefined],
    ['tools.0: you have reached your specified usage limits', 'unknownUpstream4xx', undefined],
  ])('C13: %s is %s, and by hearsay: %s', (message, errorName, concernsRequestOnly) => {
    const text = JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } })
    expect(readMessagesFailure(400, {}, text)).toMatchObject({ errorName })
    expect(readMessagesFailure(400, {}, text).concernsRequestOnly).toBe(concernsRequestOnly)
  })

  it('says how long to wait', () => {
    expect(readCause('rate-limited').retryAfterMs).toBe(2_000)
    expect(readCause('overloaded').retryAfterMs).toBeNull()
  })

  it('quotes the upstream about the request alone', () => {
    expect(readCause('bad-request').message).toBe('max_tokens: Field required')
    expect(readCause('no-credit').message).not.toContain('credit')
    expect(readCause('no-credit')).toMatchObject({ status: 400, inside: expect.stringContaining('credit balance') })
  })

  it.each(['', '<html>Bad gateway</html>', '[]', 'null'])('is a failing host without a body to read: %j', (text) => {
    expect(readMessagesFailure(502, {}, text)).toMatchObject({ action: 'retry', errorName: 'upstreamUnavailable' })
  })
})
