import { expect, it } from 'vitest'
import { failureIn, readResponsesFailure } from './read-failure.ts'

const refusal = (error: object): string => JSON.stringify({ error })

it('reads a refusal as OpenAI’s other interfaces put it', () => {
  const tooFast = refusal({ message: 'Rate limit reached', type: 'requests', code: 'rate_limit_exceeded' })
  expect(readResponsesFailure(429, { 'retry-after': '2' }, tooFast)).toMatchObject({
    action: 'retry',
    errorName: 'upstreamRateLimited',
    retryAfterMs: 2_000,
  })
  const unknown = refusal({ message: "Unknown parameter: 'seed'.", param: 'seed', code: 'unknown_parameter' })
  expect(readResponsesFailure(400, {}, unknown)).toMatchObject({ action: 'give-up', errorName: 'unsupportedParam' })
})

it('reads a refusal of xAI, whose words stand in no object', () => {
  const text = JSON.stringify({ code: 'invalid-argument', error: 'Incorrect API key provided: xai-…' })
  expect(readResponsesFailure(400, {}, text)).toMatchObject({ action: 'fail-over', errorName: 'upstreamAuthFailed' })
})

it('asks another account where this one cannot read a thought', () => {
  const foreign = refusal({
    message: 'The encrypted content could not be verified.',
    code: 'invalid_encrypted_content',
  })
  expect(readResponsesFailure(400, {}, foreign)).toMatchObject({ action: 'fail-over', status: 400 })
  expect(readResponsesFailure(400, {}, refusal({ message: 'No.', code: 'invalid' })).action).toBe('give-up')
  expect(readResponsesFailure(502, {}, '<html>').action).toBe('retry')
})

it.each([
  [
    { type: 'error', code: 'server_error', message: 'Broke.', param: null },
    { message: 'Broke.', code: 'server_error' },
  ],
  [
    { type: 'error', error: { type: 'overloaded', message: 'Broke.' } },
    { message: 'Broke.', code: 'overloaded' },
  ],
  [{ type: 'error' }, { message: 'The upstream ended the response with an error.' }],
  [
    { type: 'response.failed', response: { status: 'failed', error: { code: 'x', message: 'Broke.' } } },
    { message: 'Broke.', code: 'x' },
  ],
  [{ type: 'response.failed', response: {} }, { message: 'The upstream ended the response with an error.' }],
  [
    { status: 'failed', error: { code: 'x', message: 'Broke.' } },
    { message: 'Broke.', code: 'x' },
  ],
  [{ status: 'cancelled', error: null }, { message: 'The upstream ended the response with an error.' }],
  [
    { error: 'Broke.', code: 'x' },
    { message: 'Broke.', code: 'x' },
  ],
])('finds the failure in %j', (holder, failure) => {
  expect(failureIn(holder)).toEqual(failure)
})

it.each([
  [{ type: 'response.created', response: { status: 'in_progress', error: null } }],
  [{ type: 'response.incomplete', response: { status: 'incomplete', error: null } }],
  [{ status: 'completed', error: null, output: [] }],
  [{ type: 'response.output_text.delta', delta: 'error' }],
])('finds none in %j', (holder) => {
  expect(failureIn(holder)).toBeUndefined()
})
