import { expect, it } from 'vitest'
import type { SignOnConnection } from '../../api/sign-on.ts'
import { changedConnection, daysToAct, fieldsOf, newConnection } from './connection-fields.ts'

const filled = {
  ...fieldsOf(null),
  name: 'Staff',
  issuer: 'https://idp.example',
  clientId: 'weir',
  clientSecret: 'secret',
  metadataUrl: 'https://idp.example/metadata',
  metadata: '<xml/>',
  signInUrl: 'https://idp.example/sso',
  certificates: 'PEM',
}
const common = { name: 'Staff', groupsClaim: 'groups' }
const saml = { ...common, emailAttribute: null, subjectAttribute: null, allowsUnsolicited: false }

it('sends what the protocol has, and a secret only if one was entered', () => {
  const oidc = { ...common, issuer: 'https://idp.example', clientId: 'weir' }
  expect(newConnection(filled)).toEqual({ ...oidc, kind: 'oidc', clientSecret: 'secret' })
  expect(changedConnection({ ...filled, clientSecret: '' })).toEqual(oidc)
})

it('sends the settings of a SAML provider from their source alone', () => {
  const fields = { ...filled, kind: 'saml' } as const
  expect(newConnection(fields)).toEqual({ ...saml, kind: 'saml', metadataUrl: 'https://idp.example/metadata' })
  expect(changedConnection({ ...fields, source: 'metadata' })).toEqual({ ...saml, metadata: '<xml/>' })
  expect(
    changedConnection({
      ...fields,
      source: 'fields',
      emailAttribute: 'mail',
      subjectAttribute: 'id',
      allowsUnsolicited: true,
    }),
  ).toEqual({
    ...common,
    emailAttribute: 'mail',
    subjectAttribute: 'id',
    allowsUnsolicited: true,
    issuer: 'https://idp.example',
    signInUrl: 'https://idp.example/sso',
    certificates: ['PEM'],
  })
  expect(changedConnection({ ...fields, emailAttribute: ' ' })).toMatchObject({ emailAttribute: null })
})

it('shows what is stored', () => {
  const stored: SignOnConnection = {
    id: '1',
    kind: 'saml',
    name: 'Staff',
    issuer: 'https://idp.example',
    clientId: null,
    groupsClaim: 'roles',
    saml: {
      signInUrl: 'https://idp.example/sso',
      certificates: ['one', 'two'],
      certificateExpiresAt: '2030-01-01T00:00:00.000Z',
      emailAttribute: 'mail',
      subjectAttribute: 'id',
      allowsUnsolicited: true,
    },
    enabled: false,
    enforced: false,
    start: '/start',
    test: null,
    testedAt: null,
    createdAt: '2029-01-01T00:00:00.000Z',
  }
  expect(fieldsOf(stored)).toEqual({
    ...fieldsOf(null),
    kind: 'saml',
    name: 'Staff',
    issuer: 'https://idp.example',
    groupsClaim: 'roles',
    source: 'fields',
    signInUrl: 'https://idp.example/sso',
    certificates: 'one\ntwo',
    emailAttribute: 'mail',
    subjectAttribute: 'id',
    allowsUnsolicited: true,
  })
})

it('warns 30 days before a certificate ends', () => {
  const endsAt = '2030-03-01T00:00:00.000Z'
  const before = (days: number): number => Date.parse(endsAt) - days * 86_400_000
  expect([31, 30, 1, 0.5, 0, -5].map((days) => daysToAct(endsAt, before(days)))).toEqual([null, 30, 1, 1, 0, 0])
})
