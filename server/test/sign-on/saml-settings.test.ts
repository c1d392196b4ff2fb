import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ownOrigin } from '#test/setup/own-origin.ts'
import { selfSigned } from './self-signed.ts'
import { type SignOnHome, type SignOnWorld, startSignOnWorld } from './sign-on-world.ts'

let world: SignOnWorld
let home: SignOnHome
let all: string
beforeAll(async () => {
  world = await startSignOnWorld()
})
afterAll(() => world.close())

const key = selfSigned()
const settings = {
  kind: 'saml',
  name: 'Staff',
  issuer: 'https://idp.example/',
  signInUrl: 'https://127.0.0.1/sso',
  certificates: [key.certificate],
}
const metadataOf = (certificate: string): string => `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"
  entityID="https://idp.example/"><IDPSSODescriptor><KeyDescriptor><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#">
  <X509Data><X509Certificate>${certificate.replaceAll(/-----[^-]+-----/g, '')}</X509Certificate></X509Data></KeyInfo>
  </KeyDescriptor><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
  Location="https://127.0.0.1/sso"/></IDPSSODescriptor></EntityDescriptor>`

beforeAll(async () => {
  home = await world.newHome()
  all = `${home.path}/connections`
})

const isoTime = (ms: number): string => new Date(ms).toISOString()

it('come from fields, and tell when the first certificate ends', async () => {
  const later = selfSigned({ days: 500 })
  const body = { ...settings, certificates: [`${later.certificate}\n${key.certificate}`], emailAttribute: 'mail' }
  const { status, data } = await home.admin.post(all, body)
  expect(status).toBe(201)
  expect(data).toMatchObject({
    kind: 'saml',
    issuer: 'https://idp.example/',
    clientId: null,
    groupsClaim: 'groups',
    saml: {
      signInUrl: 'https://127.0.0.1/sso',
      certificates: [later.certificate, key.certificate],
      certificateExpiresAt: isoTime(key.endsAtMs),
      emailAttribute: 'mail',
      allowsUnsolicited: false,
    },
  })
  const one = `${all}/${String(data['id'])}`
  const changed = await home.admin.patch(one, { emailAttribute: null, allowsUnsolicited: true, groupsClaim: 'roles' })
  expect(changed.data).toMatchObject({
    groupsClaim: 'roles',
    saml: { emailAttribute: null, allowsUnsolicited: true, certificates: [later.certificate, key.certificate] },
  })
  expect((await home.admin.patch(one, { kind: 'oidc' })).status).toBe(400)
  const audit = (await world.auditOf(home.id)).filter(({ action }) => action.startsWith('sign_on.connection'))
  expect(audit.map(({ action, after }) => [action, after?.['allowsUnsolicited']])).toEqual([
    ['sign_on.connection.create', false],
    ['sign_on.connection.update', true],
  ])
  await home.admin.delete(one)
})

it('come from metadata, as text or from a URL that is read once, and fields stand above it', async () => {
  let reads = 0
  const server = createServer((_request, response) => {
    reads += 1
    response.end(metadataOf(key.certificate))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const metadataUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metadata`
  const fetched = await home.admin.post(all, { kind: 'saml', name: 'A', metadataUrl })
  expect(fetched.data).toMatchObject({ issuer: 'https://idp.example/', saml: { certificates: [key.certificate] } })
  expect(reads).toBe(1)
  const one = `${all}/${String(fetched.data['id'])}`
  const next = selfSigned()
  const changed = await home.admin.patch(one, { metadata: metadataOf(next.certificate), issuer: 'urn:other' })
  expect(changed.data).toMatchObject({ issuer: 'urn:other', saml: { certificates: [next.certificate] } })
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
  const gone = await home.admin.patch(one, { metadataUrl })
  expect([gone.status, gone.text]).toEqual([400, expect.stringContaining('metadataUrl could not be read')])
  await home.admin.delete(one)
})

it.each([
  ['an expired certificate', { certificates: [selfSigned({ days: -1 }).certificate] }, 'has expired'],
  ['a certificate that is none', { certificates: ['AAAA'] }, 'could not be read'],
  ['an elliptic key', { certificates: [selfSigned({ kind: 'ec' }).certificate] }, 'RSA key'],
  ['no certificates', { certificates: [] }, 'array of strings'],
  ['too many certificates', { certificates: Array.from({ length: 6 }, () => key.certificate) }, 'at most 5'],
  ['a sign-in URL without TLS', { signInUrl: 'http://idp.example/sso' }, 'https://'],
  ['a sign-in URL of a metadata service', { signInUrl: 'https://169.254.169.254/sso' }, 'signInUrl'],
  ['a metadata URL without TLS', { metadataUrl: 'http://idp.example/metadata' }, 'https://'],
  ['metadata that is no XML', { metadata: 'hello' }, 'metadata: '],
  [
    'metadata whose certificates have expired',
    { certificates: undefined, metadata: metadataOf(selfSigned({ days: -1 }).certificate) },
    'have expired',
  ],
  ['another protocol', { kind: 'ldap' }, 'kind'],
  ['no issuer', { issuer: undefined }, 'issuer or metadata'],
  ['no sign-in URL', { signInUrl: undefined }, 'signInUrl or metadata'],
  ['no certificates at all', { certificates: undefined }, 'certificates or metadata'],
])('are refused with %s', async (_what, change, words) => {
  const { status, text } = await home.admin.post(all, { ...settings, ...change })
  expect([status, text]).toEqual([400, expect.stringContaining(words)])
})

it('are shown to the provider as metadata, whoever asks and whichever organization', async () => {
  const { json } = await home.admin.get(all)
  const entityId = `${ownOrigin}/api/sign-on/${home.id}/saml/metadata`
  const acs = `${ownOrigin}/api/sign-on/${home.id}/saml`
  expect(json['urls']).toMatchObject({ entityId, acs })
  const own = await world.as().get(`/api/sign-on/${home.id}/saml/metadata`)
  expect(own.status).toBe(200)
  expect(own.text).toContain(`entityID="${entityId}"`)
  expect(own.text).toContain(`Location="${acs}"`)
  const unknown = crypto.randomUUID()
  const other = await world.as().get(`/api/sign-on/${unknown}/saml/metadata`)
  expect([other.status, other.text]).toEqual([200, own.text.replaceAll(home.id, unknown)])
  expect((await world.as().get('/api/sign-on/x/saml/metadata')).status).toBe(404)
})
