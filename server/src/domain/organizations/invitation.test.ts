import { describe, expect, it } from 'vitest'
import { judgeInvited, statusOf } from './invitation.ts'

describe('the status of an invitation', () => {
  const nowMs = 1_000
  it.each([
    [null, 0, 1, 1_001, 'pending'],
    [null, 0, 1, 1_000, 'expired'],
    [null, 1, 1, 1_001, 'accepted'],
    [null, 1, 1, 1_000, 'accepted'],
    [null, 1, 2, 1_001, 'pending'],
    [null, 1, 2, 999, 'expired'],
    [500, 0, 1, 1_001, 'revoked'],
    [500, 1, 1, 999, 'revoked'],
  ])('revoked at %s, %i of %i uses, expires at %i: %s', (revokedAtMs, uses, usesMax, expiresAtMs, expected) => {
    expect(statusOf({ revokedAtMs, uses, usesMax, expiresAtMs }, nowMs)).toBe(expected)
  })
})

describe('who may use an invitation', () => {
  const toAda = { email: 'ada@example.com', domain: null }
  const open = { email: null, domain: null }
  const ofDomain = { email: null, domain: 'example.com' }
  it.each([
    [toAda, 'ada@example.com', true, true, true],
    [toAda, 'ADA@Example.com', true, true, true],
    [toAda, 'eve@example.com', true, true, false],
    [toAda, 'ada@example.com', false, true, false],
    [toAda, 'ada@example.com', false, false, true],
    [toAda, 'eve@example.com', false, false, false],
    [open, 'eve@elsewhere.org', true, true, true],
    [open, 'eve@elsewhere.org', false, true, false],
    [open, 'eve@elsewhere.org', false, false, true],
    [ofDomain, 'eve@example.com', true, true, true],
    [ofDomain, 'eve@Example.COM', true, false, true],
    [ofDomain, 'eve@example.com', false, true, false],
    [ofDomain, 'eve@example.com', false, false, false],
    [ofDomain, 'eve@notexample.com', true, true, false],
    [ofDomain, 'eve@sub.example.com', true, true, false],
    [ofDomain, 'eve@example.com.org', true, true, false],
  ])('%j by %s, proven: %s, with a mail server: %s: %s', (invitation, email, isProven, sendsMail, allowed) => {
    expect(judgeInvited(invitation, { email, isProven }, { sendsMail }).allowed).toBe(allowed)
  })
})
