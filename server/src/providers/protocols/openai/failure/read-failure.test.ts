import { describe, expect, it } from 'vitest'
import { publicText } from '#lib/public-text.ts'
import { judgeChunkFailure, readFailure } from './read-failure.ts'

function read(status: number, body: unknown, headers: Record<string, string | undefined> = {}) {
  return readFailure(status, headers, typeof body === 'string' ? body : JSON.stringify(body))
}

const noMoney = 'The upstream is currently unavailable to this gateway.'
const noModel = 'The upstream does not currently offer this model.'

describe('what a refusal leads to', () => {
  it.each([408, 409, 425, 429, 500, 502, 503, 504, 529, 498, 424, 520])('[ERR-20] %i may be tried again', (status) => {
    expect(read(status, '<html>Bad gateway</html>')).toMatchObject({
      action: 'retry',
      status,
    })
  })

  it.each([401, 402, 403])('[ERR-18] %i is a matter of our account: another one is asked', (status) => {
    expect(read(status, { error: { message: 'no' } })).toMatchObject({
      action: 'fail-over',
      message: status === 402 ? noMoney : "The upstream rejected the gateway's credentials.",
    })
  })

  it.each([404, 410])('%i is a model that is not there: another upstream is asked', (status) => {
    expect(read(status, '')).toMatchObject({ action: 'fail-over', message: noModel })
  })

  it.each([400, 405, 413, 415, 422, 406])('[ERR-10] %i is for the client', (status) => {
    const refusal = read(status, { error: { message: 'bad value' } })
    expect(refusal).toMatchObject({ action: 'give-up', errorName: 'unknownUpstream4xx', message: 'bad value' })
  })

  it.each([
    ['OpenAI', 429, { error: { message: 'Quota.', type: 'insufficient_quota', code: 'insufficient_quota' } }],
    ['Moonshot', 429, { error: { message: 'Suspended.', type: 'exceeded_current_quota_error' } }],
    ['Zhipu', 429, { error: { code: '1113', message: 'Insufficient balance or no resource package.' } }],
    ['DeepSeek', 402, { error: { message: 'Insufficient Balance', type: 'unknown_error' } }],
    ['DashScope', 400, { error: { message: 'Access denied.', code: 'Arrearage' } }],
    ['Ark', 403, { error: { code: 'AccountOverdueError', message: 'The account has an overdue balance.' } }],
  ])('[ERR-19] no money at %s is no rate limit', (_vendor, status, body) => {
    expect(read(status, body)).toMatchObject({
      action: 'fail-over',
      errorName: 'upstreamUnavailable',
      message: noMoney,
    })
  })

  it.each([
    [
      'OpenAI',
      400,
      { error: { message: 'Too much.', type: 'invalid_request_error', code: 'context_length_exceeded' } },
    ],
    [
      'llama.cpp',
      400,
      { error: { code: 400, message: 'the request exceeds', type: 'exceed_context_size_error', n_ctx: 8 } },
    ],
    ['vLLM', 400, { object: 'error', message: "This model's maximum context length is 4096 tokens.", code: 400 }],
    ['a detail', 422, { detail: 'The prompt is too long: 9000 tokens' }],
  ])('a context too long for %s is for the client', (_vendor, status, body) => {
    expect(read(status, body)).toMatchObject({ action: 'give-up', errorName: 'contextTooLong' })
  })

  it.each([
    ['OpenAI', 400, { error: { message: 'Rejected by our safety system.', code: 'content_policy_violation' } }],
    [
      'Azure',
      400,
      { error: { message: 'Filtered.', code: 'content_filter', innererror: { code: 'ResponsibleAIPolicyViolation' } } },
    ],
    [
      'DashScope',
      400,
      { error: { message: 'Input data may contain inappropriate content.', code: 'data_inspection_failed' } },
    ],
    [
      'OpenRouter',
      403,
      { error: { code: 403, message: 'Your input was flagged', metadata: { reasons: ['violence'] } } },
    ],
    ['Ark', 400, { error: { code: 'SensitiveContentDetected', message: 'No.' } }],
  ])('[ERR-47] a prompt refused by %s is refused for good', (_vendor, status, body) => {
    expect(read(status, body)).toMatchObject({
      action: 'give-up',
      errorName: 'contentModeration',
    })
  })

  it.each([
    [
      {
        error: {
          message: "Unsupported parameter: 'max_tokens' is not supported.",
          param: 'max_tokens',
          code: 'unsupported_parameter',
        },
      },
      "Unsupported parameter: 'max_tokens' is not supported.",
    ],
    [
      { detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }] },
      'stream_options: Extra inputs are not permitted',
    ],
    [
      { error: { message: 'This value is not supported by the model', param: 'stop' } },
      'stop: This value is not supported by the model',
    ],
  ])('[ERR-07] a parameter that can not be used is named', (body, message) => {
    expect(read(400, body)).toMatchObject({ action: 'give-up', errorName: 'unsupportedParam', message })
  })

  it.each([
    ['xAI', 400, { code: 'Client specified an invalid argument', error: 'Incorrect API key provided: xa***yz.' }],
    ['MiniMax', 200, { error: { message: 'login fail', code: 'invalid_api_key' } }],
  ])('a bad key at %s is not the mistake of the client', (_vendor, status, body) => {
    expect(read(status, body)).toMatchObject({
      action: 'fail-over',
      errorName: 'upstreamAuthFailed',
    })
  })

  // The status, and the error text or code that decides: at the first word of the message, or later in it.
  it.each([
    [400, { message: 'Incorrect API key provided: xa***yz.' }, 'upstreamAuthFailed', true],
    [400, { message: "Invalid value: 'invalid api key'" }, 'unknownUpstream4xx', undefined],
    [400, { message: "Invalid value: 'invalid api key'", code: 'invalid_api_key' }, 'upstreamAuthFailed', undefined],
    [400, { message: 'No.', code: 'invalid_api_key' }, 'upstreamAuthFailed', undefined],
    [400, { message: 'No.', details: [{ reason: 'API_KEY_INVALID' }] }, 'upstreamAuthFailed', undefined],
    [401, { message: 'invalid api key' }, 'upstreamAuthFailed', undefined],
    [403, { message: 'No.' }, 'upstreamAuthFailed', undefined],
    [403, { message: 'invalid api key' }, 'upstreamAuthFailed', undefined],
    [429, { message: 'You have insufficient credits.' }, 'upstreamUnavailable', true],
    [429, { message: 'You have insufficient credits.', code: 'insufficient_quota' }, 'upstreamUnavailable', undefined],
    [429, { message: 'Slow down.' }, 'upstreamRateLimited', undefined],
    [403, { message: 'You have insufficient credits.' }, 'upstreamUnavailable', true],
    [402, { message: 'You have insufficient credits.' }, 'upstreamUnavailable', undefined],
    [400, { message: 'You have insufficient credits.' }, 'unknownUpstream4xx', undefined],
    [500, { message: 'invalid api key, insufficient credits' }, 'upstreamUnavailable', undefined],
  ])('C13: %i with %j is %s, and by hearsay: %s', (status, error, errorName, concernsRequestOnly) => {
    expect(read(status, { error })).toMatchObject({ errorName })
    expect(read(status, { error }).concernsRequestOnly).toBe(concernsRequestOnly)
  })

  it.each([
    ['Mistral', { object: 'error', message: 'Invalid model: x', type: 'invalid_model', code: '1500' }],
    ['others', { error: { message: 'No such model', code: 'model_not_found' } }],
  ])('a model unknown to %s is looked for elsewhere', (_vendor, body) => {
    expect(read(400, body)).toMatchObject({ action: 'fail-over', message: noModel })
  })

  it('a request that is too big for our account at Groq may pass elsewhere', () => {
    const body = {
      error: { message: 'Request too large on tokens per minute', type: 'tokens', code: 'rate_limit_exceeded' },
    }
    expect(read(413, body)).toMatchObject({
      action: 'fail-over',
      errorName: 'upstreamRateLimited',
      concernsRequestOnly: true,
    })
  })
})

describe('what the upstream asks for', () => {
  it.each([
    [{ 'retry-after-ms': '1200', 'retry-after': '9' }, 1_200],
    [{ 'retry-after': '2' }, 2_000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': 'Sat, 14 Nov 2026 00:00:30 GMT', date: 'Sat, 14 Nov 2026 00:00:00 GMT' }, 30_000],
    [{ 'retry-after': 'Sat, 14 Nov 2026 00:00:30 GMT' }, null],
    [{ 'retry-after': 'soon' }, null],
    [{}, null],
  ])('waits as %j says', (headers, waitMs) => {
    expect(read(429, '', headers).retryAfterMs).toBe(waitMs)
  })

  it('waits as the body says, where the headers are silent', () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.4s' }]
    const body = [{ error: { code: 429, message: 'Quota', status: 'RESOURCE_EXHAUSTED', details } }]
    expect(read(429, body)).toMatchObject({ action: 'retry', retryAfterMs: 34_400 })
  })

  it('asks elsewhere when told not to ask again, and again when told to', () => {
    expect(read(500, '', { 'x-should-retry': 'false' }).action).toBe('fail-over')
    expect(read(400, '', { 'x-should-retry': 'true' }).action).toBe('retry')
    expect(read(401, '', { 'x-should-retry': 'true' }).action).toBe('fail-over')
  })
})

describe('what a client gets to read', () => {
  it('is our own text where the refusal is about our account', () => {
    const message = 'Incorrect API key provided: sk-proj-abcd1234. Organization org-9f8e7d6c5b.'
    for (const status of [401, 403, 429, 500]) {
      expect(read(status, { error: { message } }).message).not.toMatch(/abcd1234|9f8e7d/)
      expect(read(status, { error: { message } }).inside).not.toMatch(/abcd1234|9f8e7d/)
    }
  })

  it('has no keys, no control characters and at most 500 characters', () => {
    const { message } = read(400, {
      error: { message: `Bad\u0000\r\n\u202e key sk-abc…wxyz Bearer t0ken${'.x'.repeat(5_000)}` },
    })
    expect(message).toMatch(/^Bad key \[redacted\] \[redacted\]/)
    expect(read(400, { error: { message: 'x'.repeat(9_999) } }).message).toHaveLength(500)
  })

  it('says something when the upstream said nothing', () => {
    for (const body of ['', '[]', 'null', '{"error":{}}', '<html>']) expect(read(400, body).message).not.toBe('')
  })
})

describe('a failure found inside an answer', () => {
  it.each([
    [{ message: 'a', code: 502 }, 'retry', 'upstreamUnavailable'],
    [{ message: 'a', code: 429 }, 'retry', 'upstreamRateLimited'],
    [{ message: 'a', code: 'rate_limit_exceeded' }, 'retry', 'upstreamRateLimited'],
    [{ message: 'a', code: 'insufficient_quota' }, 'fail-over', 'upstreamUnavailable'],
    [{ message: 'a', code: 'content_filter' }, 'give-up', 'contentModeration'],
    [{ message: 'a', code: 'invalid_request_error' }, 'give-up', 'unknownUpstream4xx'],
    [{ message: 'a', code: 400 }, 'give-up', 'unknownUpstream4xx'],
    [{ message: 'a' }, 'retry', 'upstreamUnavailable'],
  ])('%j is judged like a status', (failure, action, errorName) => {
    expect(judgeChunkFailure({ ...failure, message: publicText(failure.message) })).toMatchObject({ action, errorName })
  })
})
