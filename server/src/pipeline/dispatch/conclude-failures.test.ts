import { describe, expect, it } from 'vitest'
import type { ErrorName } from '#errors/catalogue.ts'
import { assert } from '#lib/assert.ts'
import { publicText } from '#lib/public-text.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { AttemptFailure } from './attempt/attempt.ts'
import { concludeFailures, type FailedTry, nameOfFailure, wordFor } from './conclude-failures.ts'

const [candidate] = testTicket().plan.candidates
assert(candidate !== undefined, 'the test ticket has a candidate')
const own = { ...candidate, billing: 'own_key' as const }

function tryOf(errorName: ErrorName, change: Partial<FailedTry> = {}): FailedTry {
  return { candidate: candidate ?? own, errorName, message: publicText('its words'), retryAfterMs: null, ...change }
}

describe('what a client is told when nobody could serve', () => {
  it.each<[ErrorName, number, string | number, string]>([
    ['upstreamUnreachable', 502, 'upstream_unreachable', 'No upstream provider could be reached. Nothing was charged.'],
    [
      'upstreamAuthFailed',
      502,
      'upstream_auth_failed',
      "The upstream providers rejected the gateway's credentials. Nothing was charged. Try another model or contact support.",
    ],
    [
      'upstreamRateLimited',
      429,
      'upstream_rate_limited',
      'All providers for this model are rate limiting requests. Nothing was charged. Retry later.',
    ],
    ['noImages', 502, 'no_images', 'The upstream returned no image. Nothing was charged.'],
    ['upstreamStalled', 504, 504, 'The upstream timed out. Nothing was charged.'],
    ['upstreamUnavailable', 502, 'upstream_unavailable', 'All upstream providers failed. Nothing was charged.'],
  ])('is what all tries have in common: %s', (errorName, status, code, message) => {
    const error = concludeFailures([tryOf(errorName), tryOf(errorName)])
    expect(error.row).toMatchObject({ status, code })
    expect(error.message).toBe(message)
    expect(error.inside).toBe(`first: ${errorName}: its words; first: ${errorName}: its words`)
    expect(error.retryAfterS).toBeUndefined()
  })

  it('is that upstreams are unavailable where they have nothing in common', () => {
    const error = concludeFailures([tryOf('upstreamStalled'), tryOf('upstreamRateLimited')])
    expect(error.row).toMatchObject({ status: 502, code: 'upstream_unavailable' })
    expect(error.message).toBe('All upstream providers failed. Nothing was charged.')
  })

  it('is in the own words of what is theirs to mend', () => {
    const tries = [tryOf('malformedRequest', { message: publicText('`n` is too large.') }), tryOf('malformedRequest')]
    expect(concludeFailures(tries).message).toBe('`n` is too large.')
  })

  it("says whose key was refused: the organization's own, if no other was tried", () => {
    const ownTry = tryOf('upstreamAuthFailed', { candidate: own })
    expect(concludeFailures([ownTry, ownTry]).message).toBe(
      "The provider rejected your organization's BYOK key. Check or replace the key. Nothing was charged.",
    )
    expect(concludeFailures([ownTry, tryOf('upstreamAuthFailed')]).message).toBe(
      "The upstream providers rejected the gateway's credentials. Nothing was charged. Try another model or contact support.",
    )
    expect(concludeFailures([tryOf('upstreamStalled', { candidate: own })]).message).toBe(
      'The upstream timed out. Nothing was charged.',
    )
  })

  it.each([
    [[null, 2_001, 9_000], 3],
    [[4_000], 4],
    [[1, null], 1],
    [[0], 1],
  ])('names the shortest of the waits %j in whole seconds: %i', (waits, seconds) => {
    const tries = waits.map((retryAfterMs) => tryOf('upstreamRateLimited', { retryAfterMs }))
    expect(concludeFailures(tries).retryAfterS).toBe(seconds)
  })
})

describe('the name of a failed exchange', () => {
  it.each<[AttemptFailure['kind'], ErrorName]>([
    ['unreachable', 'upstreamUnreachable'],
    ['timeout', 'upstreamStalled'],
    ['broken', 'upstreamUnavailable'],
    ['oversize', 'upstreamUnavailable'],
    ['error', 'upstreamUnavailable'],
    ['empty', 'upstreamUnavailable'],
  ])('that was %s is %s', (kind, errorName) => {
    expect(nameOfFailure({ kind, message: '' })).toBe(errorName)
  })

  it('is shown as a word with underscores', () => {
    expect(wordFor('upstreamRateLimited')).toBe('upstream_rate_limited')
  })
})
