import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { shownCredential } from './shown-credential.ts'

describe('a credential as it is shown', () => {
  it('is a token of half an hour for a pair of keys, signed with the half that is not shown', () => {
    const token = shownCredential({ kind: 'key-pair' }, 'access:sec:ret', 1_700_000_000_900) ?? ''
    const [head = '', claims = '', signature] = token.split('.')
    expect(read(head)).toEqual({ alg: 'HS256', typ: 'JWT' })
    expect(read(claims)).toEqual({ iss: 'access', exp: 1_700_001_800, nbf: 1_699_999_995 })
    expect(signature).toBe(createHmac('sha256', 'sec:ret').update(`${head}.${claims}`).digest('base64url'))
  })

  it('is what it is for everything else', () => {
    expect(shownCredential({ kind: 'key-pair' }, 'plain-key', 0)).toBe('plain-key')
    expect(shownCredential({ kind: 'key-pair' }, null, 0)).toBeNull()
    expect(shownCredential({ kind: 'bearer' }, 'a:b', 0)).toBe('a:b')
  })
})

function read(part: string): unknown {
  return JSON.parse(Buffer.from(part, 'base64url').toString())
}
