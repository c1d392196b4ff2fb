import { describe, expect, it } from 'vitest'
import { makePrincipal } from '#test/identity/make-principal.ts'
import { judgeKey } from './judge-key.ts'
import { mayCallModel } from './judge-model.ts'
import type { Principal } from './principal.ts'

const nowMs = 1_800_000_000_000
const principal = makePrincipal()
const disabled = { allowed: false, refusal: 'unauthenticated', inside: 'the key is disabled', boundBy: 'key_disabled' }
const expired = { allowed: false, refusal: 'unauthenticated', inside: 'the key has expired', boundBy: 'key_expired' }
const suspended = {
  allowed: false,
  refusal: 'accountSuspended',
  inside: 'the account is suspended',
  boundBy: 'account',
}

describe('a key', () => {
  it.each<[string, Partial<Principal>, object]>([
    ['passes', {}, { allowed: true }],
    ['passes until it expires', { expiresAtMs: nowMs + 1 }, { allowed: true }],
    ['has expired at its moment', { expiresAtMs: nowMs }, expired],
    ['has expired after it', { expiresAtMs: nowMs - 1 }, expired],
    ['is refused while it is disabled', { enabled: false }, disabled],
    ['of a suspended account is refused as such', { suspended: true }, suspended],
    // Only the holder of a working key gets the error about the suspension.
    ['that is disabled does not tell of the suspension', { enabled: false, suspended: true }, disabled],
    ['that has expired does not tell of the suspension', { expiresAtMs: nowMs, suspended: true }, expired],
  ])('[AUTH-03] [AUTH-10] [KEY-11] %s', (_, change, verdict) => {
    expect(judgeKey({ ...principal, ...change }, nowMs)).toEqual(verdict)
  })
})

describe('[ALLOW-04] a model', () => {
  const organization = {
    billing: 'prepaid' as const,
    overdueInvoice: null,
    budgets: { memberMonth: null, teamMonth: null, organizationWeek: null, organizationMonth: null },
    breakers: { member: null, team: null, organization: null },
    allowedModels: [['openai/*', 'google/gemma'], ['google/gemma']],
  }

  it.each([
    ['google/gemma', true],
    ['openai/gpt', false],
    ['meta/llama', false],
  ])('%s may be called with a key of an organization whose layers all allow it: %s', (model, expected) => {
    expect(mayCallModel({ ...principal, organization }, model)).toBe(expected)
  })

  it('of any kind may be called with a personal key', () => {
    expect(mayCallModel(principal, 'meta/llama')).toBe(true)
  })
})
