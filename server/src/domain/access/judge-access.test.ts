import { describe, expect, it } from 'vitest'
import { makePrincipal } from '#test/identity/make-principal.ts'
import type { AccessRow } from './access-row.ts'
import { type Client, type Credential, credentialOf, type SignedInPerson, userOf } from './client.ts'
import { covers, coversMember, judgeCredential, judgeRole, type Membership } from './judge-access.ts'
import { isOperatorRole, type OperatorRole, operatorRoles } from './operator-roles.ts'
import type { KeyType } from './principal.ts'
import { isRole, type Role, roles } from './roles.ts'

const principal = makePrincipal({ userId: 'owner' })
const key = (keyType: KeyType): Client => ({ kind: 'key', principal: { ...principal, keyType } })
const visitor: SignedInPerson = {
  sessionId: 'session',
  userId: 'visitor',
  email: 'a@example.org',
  name: 'A',
  walletId: 'wallet',
  suspended: false,
  signedInAtMs: 0,
  passedSecondFactor: false,
  operatorRole: null,
}
const customerToken = { id: 'token', endCustomerId: 'c', customer: 'acme', limit: null, allowedModels: null }
const token: Client = { kind: 'key', principal: makePrincipal({ customerToken }) }
const session: Client = { kind: 'session', person: visitor, view: null }

describe('a client', () => {
  it.each<[Credential, Client]>([
    ['standard_key', key('standard')],
    ['management_key', key('management')],
    ['institution_session', key('institution')],
    ['customer_token', token],
    ['operator_key', key('operator')],
    ['session', session],
  ])('identifies itself with a %s', (credential, client) => {
    expect(credentialOf(client)).toBe(credential)
  })

  it('stands for the person who signed in, or who owns the key', () => {
    expect(userOf(session)).toBe('visitor')
    expect(userOf(key('standard'))).toBe('owner')
  })
})

const row = (...credentials: Credential[]): AccessRow => ({ summary: 'Do it', credentials, within: 'account' })

describe('a credential', () => {
  it('is not needed for what is open to everybody', () => {
    expect(judgeCredential(row(), null)).toEqual({ allowed: true })
    expect(judgeCredential(row(), key('management'))).toEqual({ allowed: true })
  })

  it('is missing where nobody has identified themselves', () => {
    expect(judgeCredential(row('standard_key'), null)).toEqual({
      allowed: false,
      refusal: 'unauthenticated',
      message: '',
    })
  })

  it.each<[Credential[], Client]>([
    [['standard_key'], key('standard')],
    [['standard_key', 'institution_session'], key('institution')],
    [['management_key', 'session'], session],
    [['operator_key'], key('operator')],
  ])('of the list %j passes', (credentials, client) => {
    expect(judgeCredential(row(...credentials), client)).toEqual({ allowed: true })
  })

  it.each<[Credential[], Client, string]>([
    [['operator_key'], key('management'), 'This endpoint requires an operator key or the session of an operator.'],
    [['standard_key', 'management_key'], session, 'This endpoint requires an API key.'],
    [['standard_key', 'management_key', 'session'], key('institution'), 'This endpoint requires an API key.'],
    [
      ['management_key', 'session'],
      key('standard'),
      'This endpoint requires a management key or a session on the website.',
    ],
    [['management_key'], key('standard'), 'This endpoint requires a management key.'],
    [['session'], key('standard'), 'This endpoint requires a session on the website.'],
    [
      ['standard_key'],
      key('management'),
      "This endpoint requires a standard key. Management keys can't call models. Institution sessions and customer tokens can only call chat completions and embeddings.",
    ],
  ])('that is not in %j is told what is needed', (credentials, client, message) => {
    expect(judgeCredential(row(...credentials), client)).toEqual({ allowed: false, refusal: 'forbidden', message })
  })
})

const operatorKey = (operatorRole: OperatorRole | null): Client => ({
  kind: 'key',
  principal: makePrincipal({ keyType: 'operator', operatorRole }),
})

const operatorSession = (operatorRole: OperatorRole | null, passedSecondFactor = true): Client => ({
  kind: 'session',
  person: { ...visitor, operatorRole, passedSecondFactor },
  view: null,
})

describe('the role of an operator', () => {
  const operated: AccessRow = { ...row('operator_key', 'session'), within: 'nobody', operators: ['owner', 'finance'] }

  it.each(['owner', 'finance'] as const)('%s passes where the row lists it', (role) => {
    for (const client of [operatorKey(role), operatorSession(role)]) {
      expect(judgeCredential(operated, client)).toEqual({ allowed: true })
    }
  })

  it.each(['support', 'read_only'] as const)('%s is told which roles may', (role) => {
    for (const client of [operatorKey(role), operatorSession(role)]) {
      expect(judgeCredential(operated, client)).toEqual({
        allowed: false,
        refusal: 'forbidden',
        message: 'This endpoint requires an operator with the role owner or finance.',
      })
    }
  })

  it('counts in a session only with a second factor', () => {
    expect(judgeCredential(operated, operatorSession('owner', false))).toEqual({
      allowed: false,
      refusal: 'secondFactorRequired',
      message: 'Operators sign in with a second factor. Set up an authenticator app or a passkey, and sign in with it.',
    })
  })

  it.each([true, false])('is what other people lack, with a second factor: %s', (passedSecondFactor) => {
    for (const client of [operatorKey(null), operatorSession(null, passedSecondFactor)]) {
      expect(judgeCredential(operated, client)).toEqual({
        allowed: false,
        refusal: 'forbidden',
        message: 'This endpoint requires an operator key or the session of an operator.',
      })
    }
  })

  it('is one of four', () => {
    expect(operatorRoles).toEqual(['owner', 'support', 'finance', 'read_only'])
    for (const role of operatorRoles) expect(isOperatorRole(role)).toBe(true)
    for (const text of ['admin', '', null, undefined, 4]) expect(isOperatorRole(text)).toBe(false)
  })
})

const membership = (role: Role, teamId: string | null = 'team'): Membership => ({
  organizationId: 'organization',
  memberId: 'member',
  userId: 'visitor',
  role,
  teamId,
})
const forTeams: AccessRow = {
  summary: 'Manage members',
  credentials: ['management_key', 'session'],
  within: 'organization',
  roles: { org_admin: 'organization', billing_viewer: 'organization', team_admin: 'own_team' },
}
const refused = (inside: string) => ({ allowed: false, inside })

describe('a role in an organization', () => {
  it.each([
    ['org_admin', { allowed: true, grant: { reach: 'organization' } }],
    ['billing_viewer', { allowed: true, grant: { reach: 'organization' } }],
    ['team_admin', { allowed: true, grant: { reach: 'own_team', teamId: 'team' } }],
    ['member', refused('a member may not')],
  ] as const)('[ORG-09] %s reaches as far as the row says with a session', (role, verdict) => {
    expect(judgeRole(forTeams, session, membership(role))).toEqual(verdict)
  })

  it.each([
    ['org_admin', { allowed: true, grant: { reach: 'organization' } }],
    ['billing_viewer', refused('a billing_viewer with a management key')],
    ['team_admin', refused('a team_admin with a management key')],
    ['member', refused('a member with a management key')],
  ] as const)('[ORG-06] of %s with a management key counts only for an administrator of all of it', (role, verdict) => {
    expect(judgeRole(forTeams, key('management'), membership(role))).toEqual(verdict)
  })

  it('that reaches its own team reaches nothing without one', () => {
    expect(judgeRole(forTeams, session, membership('team_admin', null))).toEqual(refused('a team_admin may not'))
  })

  it('may do nothing where the row names no roles', () => {
    expect(judgeRole(row('session'), session, membership('org_admin'))).toEqual(refused('a org_admin may not'))
  })

  it('is one of four, and owner and admin are none', () => {
    expect(roles).toEqual(['org_admin', 'billing_viewer', 'team_admin', 'member'])
    for (const role of roles) expect(isRole(role)).toBe(true)
    for (const text of ['owner', 'admin', '', null, undefined, 4]) expect(isRole(text)).toBe(false)
  })
})

const whole = { reach: 'organization' } as const
const ownTeam = { reach: 'own_team', teamId: 'team' } as const

describe('[ORG-09] a grant', () => {
  it.each([
    [whole, 'other', true],
    [whole, null, true],
    [ownTeam, 'team', true],
    [ownTeam, 'other', false],
    [ownTeam, null, false],
  ])('%j covers the team %s: %s', (grant, teamId, expected) => {
    expect(covers(grant, teamId)).toBe(expected)
  })

  it.each([
    [whole, 'org_admin', 'other', true],
    [whole, 'member', null, true],
    [ownTeam, 'member', 'team', true],
    [ownTeam, 'team_admin', 'team', true],
    // These roles can be in a team, but its team administrator has no rights over them.
    [ownTeam, 'org_admin', 'team', false],
    [ownTeam, 'billing_viewer', 'team', false],
    [ownTeam, 'member', 'other', false],
    [ownTeam, 'member', null, false],
  ] as const)('%j covers a %s of the team %s: %s', (grant, role, teamId, expected) => {
    expect(coversMember(grant, { role, teamId })).toBe(expected)
  })
})
