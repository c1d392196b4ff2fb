import { expect, it } from 'vitest'
import { inflateRawSync } from 'node:zlib'
import { assertionXml, responseXml, signXml } from '#test/sign-on/saml-response.ts'
import { selfSigned } from '#test/sign-on/self-signed.ts'
import { createSamlClient } from './saml-client.ts'

const key = selfSigned()
const saml = createSamlClient()
const query = {
  settings: {
    issuer: 'https://idp.example/',
    signInUrl: 'https://idp.example/sso?tenant=1',
    certificates: [selfSigned().certificate, key.certificate],
    emailAttribute: 'mail',
    subjectAttribute: null,
    groupsAttribute: 'groups',
    allowsUnsolicited: false,
  },
  audience: 'https://weir.test/api/sign-on/x/saml/metadata',
  recipient: 'https://weir.test/api/sign-on/x/saml',
}
const terms = {
  issuer: query.settings.issuer,
  audience: query.audience,
  recipient: query.recipient,
  requestId: '_request',
  nameId: 'ada-1',
  attributes: { mail: ['ada@acme.example'], groups: ['staff', 'leads'], displayName: ['Ada'] },
}
const finish = (xml: string) =>
  saml.finish({
    ...query,
    response: Buffer.from(xml).toString('base64'),
    requestId: '_request',
    nowMs: Date.now(),
  })
const identity = {
  subject: 'ada-1',
  email: 'ada@acme.example',
  name: 'Ada',
  groups: ['staff', 'leads'],
  claims: { NameID: 'ada-1', mail: 'ada@acme.example', groups: ['staff', 'leads'], displayName: 'Ada' },
}

it('sends a request without a signature, whose id it remembers', async () => {
  const { url, memory } = await saml.begin({ ...query, state: 'a-state' })
  const { origin, searchParams } = new URL(url)
  expect([origin, searchParams.get('tenant'), searchParams.get('RelayState')]).toEqual([
    'https://idp.example',
    '1',
    'a-state',
  ])
  const request = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
  expect(request).toContain(`ID="${String(memory['requestId'])}"`)
  expect(request).toContain(`AssertionConsumerServiceURL="${query.recipient}"`)
  expect(request).toContain(`>${query.audience}</saml:Issuer>`)
  expect((await saml.begin({ ...query, state: 'a-state' })).memory).not.toEqual(memory)
})

it.each([
  ['assertion', (xml: string) => signXml(xml, key)],
  ['response', (xml: string) => signXml(xml, key, { id: '_response' })],
  ['assertion and the response', (xml: string) => signXml(signXml(xml, key), key, { id: '_response' })],
])('reads the claims of a response with a signed %s', async (_what, sign) => {
  const proven = await finish(sign(responseXml(terms)))
  expect(proven.identity).toEqual(identity)
  expect(proven.assertionId).toBe('_assertion')
})

it.each([
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha512', 'http://www.w3.org/2001/04/xmlenc#sha512'],
  ['http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1', 'http://www.w3.org/2001/04/xmlenc#sha256'],
])('verifies %s', async (signature, digest) => {
  expect((await finish(signXml(responseXml(terms), key, { signature, digest }))).identity).toEqual(identity)
})

it('uses a name id as the address where no attribute is set, and knows no groups without the attribute', async () => {
  const bare = { ...terms, nameId: 'ada@acme.example', attributes: { objectId: ['ada-1'] } }
  const settings = { ...query.settings, emailAttribute: null, subjectAttribute: 'objectId' }
  const response = Buffer.from(signXml(responseXml(bare), key)).toString('base64')
  const proven = await saml.finish({ ...query, settings, response, requestId: '_request', nowMs: Date.now() })
  expect(proven.identity).toMatchObject({ subject: 'ada-1', email: 'ada@acme.example', groups: null, name: null })
})

const formats = {
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  emailAddress: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  unspecified: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  none: null,
}
const opaque = 'f81d4fae'
const address = 'ada@acme.example'
const isAddress = /name ID is an email address.*The provider sent mail, objectId\./
const isTransient = /is transient/

it.each<[keyof typeof formats, string, string | null, string | RegExp]>([
  ['persistent', opaque, null, opaque],
  ['persistent', address, null, isAddress],
  ['persistent', opaque, 'objectId', 'object-1'],
  ['persistent', address, 'objectId', 'object-1'],
  ['emailAddress', opaque, null, isAddress],
  ['emailAddress', address, null, isAddress],
  ['emailAddress', opaque, 'objectId', 'object-1'],
  ['emailAddress', address, 'objectId', 'object-1'],
  ['unspecified', opaque, null, opaque],
  ['unspecified', address, null, isAddress],
  ['unspecified', opaque, 'objectId', 'object-1'],
  ['unspecified', address, 'objectId', 'object-1'],
  ['none', opaque, null, opaque],
  ['none', address, null, isAddress],
  ['none', opaque, 'objectId', 'object-1'],
  ['none', address, 'objectId', 'object-1'],
  ['transient', opaque, null, isTransient],
  ['transient', address, null, isTransient],
  ['transient', opaque, 'objectId', isTransient],
  ['transient', address, 'objectId', isTransient],
  ['persistent', opaque, 'missing', /no value for the subject attribute missing\. The provider sent mail, objectId\./],
  ['persistent', opaque, 'mail', /the email address, which can pass to another person/],
])(
  'identifies a person by a %s name id %s and the subject attribute %s: %s',
  async (format, nameId, name, expected) => {
    const attributes = { mail: ['Ada@acme.example'], objectId: ['object-1'] }
    const xml = signXml(responseXml({ ...terms, nameId, nameIdFormat: formats[format], attributes }), key)
    const settings = { ...query.settings, subjectAttribute: name }
    const response = Buffer.from(xml).toString('base64')
    const finishing = saml.finish({ ...query, settings, response, requestId: '_request', nowMs: Date.now() })
    if (typeof expected === 'string') expect((await finishing).identity.subject).toBe(expected)
    else await expect(finishing).rejects.toThrow(expected)
  },
)

it('refuses a subject attribute with two values', async () => {
  const attributes = { mail: ['ada@acme.example'], objectId: ['object-1', 'object-2'] }
  const settings = { ...query.settings, subjectAttribute: 'objectId' }
  const response = Buffer.from(signXml(responseXml({ ...terms, attributes }), key)).toString('base64')
  const finishing = saml.finish({ ...query, settings, response, requestId: '_request', nowMs: Date.now() })
  await expect(finishing).rejects.toThrow('more than one value')
})

it('tolerates clocks that differ by a minute, and tells when the assertion can be forgotten', async () => {
  const late = await finish(signXml(responseXml({ ...terms, endsInS: -50 }), key))
  expect(late.expiresAtMs).toBeGreaterThan(Date.now())
  await finish(signXml(responseXml({ ...terms, beginsInS: 50 }), key))
})

it('refuses signatures of a certificate that has expired', async () => {
  const old = selfSigned({ days: -1 })
  const response = Buffer.from(signXml(responseXml(terms), old)).toString('base64')
  const settings = { ...query.settings, certificates: [old.certificate] }
  const finishing = saml.finish({ ...query, settings, response, requestId: '_request', nowMs: Date.now() })
  await expect(finishing).rejects.toThrow('certificate has expired')
})

it('shows what the provider answered when it refused', async () => {
  const [head = ''] = responseXml(terms, '').split('<samlp:Status>')
  const status = `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Responder"><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:AuthnFailed"/></samlp:StatusCode><samlp:StatusMessage>No access</samlp:StatusMessage></samlp:Status></samlp:Response>`
  await expect(finish(head + status)).rejects.toThrow('The provider answered Responder, AuthnFailed: No access')
})

it.each([
  ['a transient name id', assertionXml(terms).replace('format:persistent', 'format:transient'), 'is transient'],
  [
    'two addresses',
    assertionXml({ ...terms, attributes: { mail: ['a@b.example', 'c@d.example'] } }),
    'more than one email',
  ],
  ['no end', assertionXml(terms).replaceAll(/ NotOnOrAfter="[^"]*"/g, ''), 'NotOnOrAfter'],
  ['a long life', assertionXml({ ...terms, endsInS: 100_000 }), 'more than a day'],
  [
    'no audience',
    assertionXml(terms).replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, ''),
    'no audience',
  ],
  ['another confirmation', assertionXml(terms).replace('cm:bearer', 'cm:sender-vouches'), 'no bearer'],
  ['a time in words', assertionXml(terms).replace(/NotBefore="[^"]*"/, 'NotBefore="soon"'), 'is not a time'],
])('refuses a signed assertion with %s', async (_what, assertion, words) => {
  await expect(finish(signXml(responseXml(terms, assertion), key))).rejects.toThrow(words)
})
