import { describe, expect, it } from 'vitest'
import { readFailure } from './read-failure.ts'

describe('a refusal of Bedrock', () => {
  it.each([
    [429, 'ThrottlingException', 'Too many requests', 'retry', 'upstreamRateLimited'],
    [429, 'ThrottlingException:http://internal.amazon.com/coral/', 'Too many tokens', 'retry', 'upstreamRateLimited'],
    [400, 'ServiceQuotaExceededException', 'Your request exceeds the quota.', 'retry', 'upstreamRateLimited'],
    [429, 'ModelNotReadyException', 'The model is not ready.', 'retry', 'upstreamUnavailable'],
    [424, 'ModelErrorException', 'The model failed.', 'retry', 'upstreamUnavailable'],
    [408, 'ModelTimeoutException', 'The model took too long.', 'retry', 'upstreamUnavailable'],
    [500, 'InternalServerException', 'Oops.', 'retry', 'upstreamUnavailable'],
    [503, 'ServiceUnavailableException', 'Busy.', 'retry', 'upstreamUnavailable'],
    [403, 'UnrecognizedClientException', 'The security token is invalid.', 'fail-over', 'upstreamAuthFailed'],
    [403, 'InvalidSignatureException', 'Signature expired.', 'fail-over', 'upstreamAuthFailed'],
    [403, 'AccessDeniedException', 'User is not authorized to perform this.', 'fail-over', 'upstreamAuthFailed'],
    [404, 'ResourceNotFoundException', 'Could not resolve the model.', 'fail-over', 'upstreamUnavailable'],
    [400, 'ValidationException', 'The provided model identifier is invalid.', 'fail-over', 'upstreamUnavailable'],
    [400, 'ValidationException', 'Input is too long for requested model.', 'give-up', 'contextTooLong'],
    [400, 'ValidationException', 'Output blocked by content filtering policy', 'give-up', 'contentModeration'],
    [400, 'ValidationException', 'The text field is blank.', 'give-up', 'unknownUpstream4xx'],
  ])('%i %s (%s) means %s', (status, type, message, action, errorName) => {
    const refusal = readFailure(status, { 'x-amzn-errortype': type }, JSON.stringify({ message }))
    expect(refusal).toMatchObject({ action, errorName, status, inside: message })
  })

  it('blames no credential for a model that the account was not given', () => {
    const message = "You don't have access to the model with the specified model ID."
    const refusal = readFailure(403, { 'x-amzn-errortype': 'AccessDeniedException' }, JSON.stringify({ message }))
    expect(refusal).toMatchObject({
      action: 'fail-over',
      errorName: 'upstreamUnavailable',
      message: 'The upstream does not currently offer this model.',
    })
  })

  it.each([
    [400, "Value 'access to the model' at 'requestMetadata' failed to satisfy constraint", true],
    [403, "You don't have access to the model with the specified model ID.", undefined],
    [404, 'This model version has reached the end of its life.', undefined],
  ])('C13: %i with %s is about the model, by hearsay: %s', (status, message, concernsRequestOnly) => {
    const refusal = readFailure(status, {}, JSON.stringify({ message }))
    expect(refusal).toMatchObject({ errorName: 'upstreamUnavailable', action: 'fail-over' })
    expect(refusal.concernsRequestOnly).toBe(concernsRequestOnly)
  })

  it('finds the kind in the body where no header has it, and the time to wait', () => {
    const body = '{"__type":"com.amazon.coral.service#ThrottlingException","Message":"Slow down"}'
    expect(readFailure(400, { 'retry-after': '3' }, body)).toMatchObject({
      action: 'retry',
      errorName: 'upstreamRateLimited',
      retryAfterMs: 3_000,
      status: 400,
    })
  })

  it('shows nobody the number of our account', () => {
    const message = 'Invalid: arn:aws:bedrock:us-east-1:123456789012:inference-profile/x is wrong'
    const refusal = readFailure(400, { 'x-amzn-errortype': 'ValidationException' }, JSON.stringify({ message }))
    expect(refusal.message).toBe('Invalid: [redacted] is wrong')
  })

  it.each(['', '<html>', '[]'])('makes do with a body like %j', (body) => {
    expect(readFailure(503, {}, body)).toMatchObject({ action: 'retry', errorName: 'upstreamUnavailable' })
  })
})
