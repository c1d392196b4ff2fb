import { describe, expect, it } from 'vitest'
import { asGatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import { type CredentialHeaders, readCredential } from './authenticate.ts'

const secret = `sk-weir-${'a'.repeat(12)}`

function refusalOf(headers: CredentialHeaders) {
  try {
    readCredential(headers)
  } catch (error) {
    return asGatewayError(error)
  }
  return assert(false, 'the credential was taken')
}

describe('a credential', () => {
  it.each([
    ['a key of 20 characters', secret],
    ['a key of 200 characters', `sk-weir-${'a'.repeat(192)}`],
    ["the token of an institution's session", `edu-sess-${'b'.repeat(20)}`],
  ])('is read: %s', (_name, credential) => {
    expect(readCredential({ authorization: `Bearer ${credential}` })).toBe(credential)
    expect(readCredential({ apiKey: credential })).toBe(credential)
    expect(readCredential({ authorization: `bearer   ${credential}  `, apiKey: credential })).toBe(credential)
  })

  it.each([
    ['no credential', {}],
    ['two different credentials', { authorization: `Bearer ${secret}`, apiKey: `${secret}b` }],
    ['malformed key', { authorization: `Bearer sk-weir-${'a'.repeat(11)}` }],
    ['malformed key', { authorization: `Bearer sk-weir-${'a'.repeat(193)}` }],
    ['malformed key', { authorization: `Bearer ${'a'.repeat(20)}` }],
    ['malformed key', { authorization: `Bearer x${secret}` }],
    ['the Authorization header is not a Bearer credential', { authorization: `x Bearer ${secret}` }],
    ['the Authorization header is not a Bearer credential', { authorization: `Bearer${secret}` }],
    ['the Authorization header is not a Bearer credential', { authorization: `Bearer ${secret} x` }],
    ['the Authorization header is not a Bearer credential', { authorization: `Bearer ${secret}${' '.repeat(274)}` }],
  ])('[AUTH-01] is refused in the same words whatever is wrong; the log says: %s', (inside, headers) => {
    const error = refusalOf(headers)
    expect(error).toMatchObject({
      errorName: 'unauthenticated',
      message: 'No valid API key was provided. Send your key as "Authorization: Bearer sk-weir-...".',
      inside,
    })
  })

  it('may come in a header of 300 characters', () => {
    // Seven characters for the scheme and its space, 20 for the key.
    expect(readCredential({ authorization: `Bearer ${secret}${' '.repeat(273)}` })).toBe(secret)
  })

  it('[EDU-13] of an institution is refused with how to exchange it', () => {
    expect(refusalOf({ apiKey: 'sk-edu-x' })).toMatchObject({
      errorName: 'forbidden',
      message:
        'An institution key cannot be used directly. It must be exchanged for a session: POST /api/edu/request-code, then POST /api/edu/verify.',
    })
  })
})
