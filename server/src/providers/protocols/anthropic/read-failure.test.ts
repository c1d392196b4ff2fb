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
    ['rate-limited', 'retry', 'upstreamRateLimited', false],
    ['overloaded', 'retry', 'upstreamUnavailable', false],
    ['server-error', 'retry', 'upstreamUnavailable', false],
    ['timed-out', 'retry', 'upstreamUnavailable', false],
    ['billing', 'fail-over', 'upstreamUnavailable', true],
    ['no-credit', 'fail-over', 'upstreamUnavailable', true],
    ['invalid-key', 'fail-over', 'upstreamAuthFailed', true],
    ['forbidden', 'fail-over', 'upstreamAuthFailed', true],
    ['model-not-found', 'fail-over', 'upstreamUnavailable', false],
    ['too-large', 'give-up', 'bodyTooLarge', false],
    ['context-too-long', 'give-up', 'contextTooLong', false],
    ['cap-too-high', 'give-up', 'maxTokensInvalid', false],
    ['output-filtered', 'give-up', 'contentModeration', false],
    ['unknown-field', 'give-up', 'unsupportedParam', false],
    ['bad-request', 'give-up', 'unknownUpstream4xx', false],
  ] as const)('[ERR-07] [ERR-10] is understood: %s', (cause, action, errorName, unhealthyCredential) => {
    expect(readCause(cause)).toMatchObject({ action, errorName, unhealthyCredential })
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
