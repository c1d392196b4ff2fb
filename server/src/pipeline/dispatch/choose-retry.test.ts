import { describe, expect, it } from 'vitest'
import type { Candidate } from '#domain/routing/candidates.ts'
import { publicText } from '#lib/public-text.ts'
import { recordingConnection, testTicket } from '#test/streams/test-ticket.ts'
import { chooseRetry } from './dispatch.ts'
import type { FailedTry } from './conclude-failures.ts'

const template = testTicket().plan.candidates[0] ?? never()

function never(): never {
  throw new Error('the test ticket has a candidate')
}

function failed(id: string, errorName: FailedTry['errorName'], retryAfterMs: number | null = null): FailedTry {
  const candidate: Candidate = { ...template, account: { ...template.account, id } }
  return { candidate, errorName, message: publicText(''), retryAfterMs }
}

function chosen(tries: readonly FailedTry[], ticket = testTicket()): [string, number] | null {
  const retry = chooseRetry(ticket, tries)
  return retry === null ? null : [retry.candidate.account.id, retry.waitMs]
}

describe('after everybody has failed', () => {
  it('[ROUTE-15] the first that may have had a hiccup is asked again, after a short pause', () => {
    expect(chosen([failed('one', 'upstreamUnavailable'), failed('two', 'upstreamUnreachable')])).toEqual(['one', 200])
  })

  it('[ROUTE-15] the one with the shortest pause is, when they ask for pauses', () => {
    const tries = [
      failed('one', 'upstreamRateLimited', 1_500),
      failed('two', 'upstreamRateLimited', 900),
      failed('three', 'upstreamRateLimited', 900),
    ]
    expect(chosen(tries)).toEqual(['two', 900])
  })

  it('[ROUTE-15] nobody is who wants a longer pause than a client should wait', () => {
    expect(chosen([failed('one', 'upstreamRateLimited', 2_000)])).toEqual(['one', 2_000])
    expect(chosen([failed('one', 'upstreamRateLimited', 2_001)])).toBeNull()
  })

  it.each<FailedTry['errorName']>(['upstreamAuthFailed', 'upstreamStalled', 'noUpstream', 'contextTooLong'])(
    '[ROUTE-15] %s is no hiccup',
    (errorName) => {
      expect(chosen([failed('one', errorName, 1)])).toBeNull()
    },
  )

  it('[ROUTE-15] nobody is who would fail again at once', () => {
    expect(chosen([{ ...failed('one', 'upstreamUnavailable'), isLasting: true }])).toBeNull()
  })

  it('[STREAM-10] nobody is asked for a client who has left or has been sent something', () => {
    const tries = [failed('one', 'upstreamUnavailable')]
    const gone = recordingConnection()
    gone.leave()
    expect(chosen(tries, testTicket({}, gone))).toBeNull()
    const streaming = recordingConnection()
    streaming.startStream({})
    expect(chosen(tries, testTicket({}, streaming))).toBeNull()
  })

  it('nobody is there to be asked', () => {
    expect(chosen([])).toBeNull()
  })
})
