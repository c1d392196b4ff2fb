import { expect, it } from 'vitest'
import type { UpstreamRefusal } from '#providers/refusal.ts'
import { servedResult } from './served-result.ts'

const account = { baseUrl: 'https://own.host.example/v1', credential: 'very-secret-credential' }
const words = 'very-secret-credential is unknown at own.host.example'
const clean = '[redacted] is unknown at [redacted]'

it('a refusal says nothing of our account, neither to the client nor to the log', () => {
  const refusal: UpstreamRefusal = {
    action: 'fail-over',
    errorName: 'upstreamAuthFailed',
    message: words,
    inside: `in: ${words}`,
    retryAfterMs: 7,
    status: 401,
  }
  expect(servedResult({ kind: 'refused', refusal }, account)).toEqual({
    kind: 'refused',
    refusal: { ...refusal, message: clean, inside: `in: ${clean}` },
  })
})

it('neither does a failure', () => {
  expect(servedResult({ kind: 'failed', failure: { kind: 'error', message: words } }, account)).toEqual({
    kind: 'failed',
    failure: { kind: 'error', message: clean },
  })
})

it('whatever has no words of the upstream stays as it is', () => {
  const result = { kind: 'opened' } as const
  expect(servedResult(result, account)).toBe(result)
})
