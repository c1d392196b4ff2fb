import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Principal } from '#domain/access/principal.ts'
import { asGatewayError, errorBody } from '#errors/gateway-error.ts'
import { makePrincipal } from '#test/identity/make-principal.ts'
import { createAuthenticate } from './authenticate.ts'
import { createPrincipalCache } from './principal-cache.ts'

const secret = 'sk-weir-0123456789abcdef0123456789abcdef'
const nowMs = 1_800_000_000_000

function authenticatorOf(special: Partial<Principal> = {}) {
  const principal = makePrincipal(special)
  const looked: string[] = []
  const keys = {
    async findPrincipal(secretHash: string) {
      looked.push(secretHash)
      return secretHash === hash('sha256', secret) ? principal : null
    },
  }
  const authenticate = createAuthenticate({ cache: createPrincipalCache({ keys, clock: () => nowMs }) })
  const ask = async (headers: { authorization?: string; apiKey?: string }, clientIp: string | null = null) =>
    authenticate({ ...headers, clientIp, nowMs })
  const refusal = async (...request: Parameters<typeof ask>) => {
    const error = await ask(...request).then(() => undefined, asGatewayError)
    return error === undefined ? undefined : { status: error.row.status, body: errorBody(error) }
  }
  return { principal, looked, ask, refusal }
}

const unknownKey = { authorization: `Bearer ${secret}x` }

describe('a valid key', () => {
  it.each([`Bearer ${secret}`, `bearer ${secret}`, `BEARER  ${secret} `])('passes as "%s"', async (authorization) => {
    const { ask, principal } = authenticatorOf()
    expect(await ask({ authorization })).toBe(principal)
  })

  it('[AUTH-04] passes in x-api-key where the endpoint hands it over, alone or beside the same Bearer', async () => {
    const { ask, principal } = authenticatorOf()
    expect(await ask({ apiKey: secret })).toBe(principal)
    expect(await ask({ apiKey: secret, authorization: `Bearer ${secret}` })).toBe(principal)
  })
})

describe('a refused credential', () => {
  it('[AUTH-01] [AUTH-02] [AUTH-05] answers one and the same 401', async () => {
    const { refusal } = authenticatorOf()
    const expected = await refusal(unknownKey)
    expect(expected).toMatchObject({ status: 401, body: { error: { code: 401, type: 'authentication_error' } } })
    for (const headers of [
      {},
      { authorization: '' },
      { authorization: secret },
      { authorization: `Basic ${secret}` },
      { authorization: `Bearer ${secret} ${secret}` },
      { authorization: 'Bearer sk-weir-short' },
      { authorization: `Bearer sk-weir-${'a'.repeat(200)}` },
      { authorization: `Bearer ${'a'.repeat(1_000_000)}` },
      { authorization: `Bearer sk-other-${'a'.repeat(40)}` },
      { authorization: `Bearer ${secret}`, apiKey: `${secret}x` },
      { authorization: `Basic ${secret}`, apiKey: secret },
      { apiKey: '' },
    ]) {
      expect(await refusal(headers)).toEqual(expected)
    }
  })

  it('is not looked up when it can not be a key', async () => {
    const { refusal, looked } = authenticatorOf()
    await refusal({ authorization: 'Bearer sk-weir-short' })
    await refusal({ authorization: `Bearer ${'a'.repeat(40)}` })
    expect(looked).toEqual([])
  })

  it.each([
    ['[AUTH-03] that has expired', { expiresAtMs: nowMs }],
    ['that is disabled', { enabled: false }],
    ['that is disabled in a suspended account', { enabled: false, suspended: true }],
    ['[AUTH-12] from another address', { allowedCidrs: ['203.0.113.8'] }],
    ['[AUTH-12] from another address in a suspended account', { allowedCidrs: ['203.0.113.8'], suspended: true }],
  ])('a key %s answers as an unknown one', async (_name, special) => {
    const { refusal } = authenticatorOf(special)
    expect(await refusal({ authorization: `Bearer ${secret}` }, '203.0.113.7')).toEqual(await refusal(unknownKey))
  })

  it('[AUTH-15] a key with an allow-list is refused when the address is unknown', async () => {
    const { refusal } = authenticatorOf({ allowedCidrs: ['0.0.0.0/0'] })
    expect(await refusal({ authorization: `Bearer ${secret}` }, null)).toMatchObject({ status: 401 })
  })

  it('[AUTH-10] a key of a suspended account answers 403', async () => {
    const { refusal } = authenticatorOf({ suspended: true })
    expect(await refusal({ authorization: `Bearer ${secret}` })).toMatchObject({ status: 403 })
  })

  it.each([
    ['unknown key', {}, unknownKey, '203.0.113.7'],
    ['address not allowed', { allowedCidrs: ['203.0.113.8'] }, { authorization: `Bearer ${secret}` }, '203.0.113.7'],
  ])('the log says what was wrong: %s', async (inside, special, headers, clientIp) => {
    await expect(authenticatorOf(special).ask(headers, clientIp)).rejects.toMatchObject({ inside })
  })

  it('[AUTH-10] a suspended account learns its reason', async () => {
    const { refusal } = authenticatorOf({ suspended: true })
    const answer = await refusal({ authorization: `Bearer ${secret}` })
    expect(answer?.body.error.message).toBe('This account is suspended. Please contact support.')
  })

  it('[EDU-13] an institution key answers 403 and says to exchange it', async () => {
    const { refusal } = authenticatorOf()
    const answer = await refusal({ authorization: 'Bearer sk-edu-0123456789abcdef' })
    expect(answer?.status).toBe(403)
    expect(answer?.body.error.message).toMatch(/exchange/i)
  })
})
