import { expect, it } from 'vitest'
import { selfSigned } from '#test/sign-on/self-signed.ts'
import { parseMetadata } from './parse-metadata.ts'

const [first, second, third] = [selfSigned(), selfSigned(), selfSigned()]
const bodyOf = (pem: string): string => pem.replaceAll(/-----[^-]+-----/g, '')
const keyOf = (pem: string, use = ''): string =>
  `<md:KeyDescriptor ${use}><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${bodyOf(pem)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`
const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const service = (binding: string): string =>
  `<md:SingleSignOnService Binding="${binding}" Location="https://idp.example/${binding === redirect ? 'get' : 'post'}?a=1&amp;b=2"/>`
const provider = (content: string): string =>
  `<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${content}</md:IDPSSODescriptor>`
const entity = (content: string, id = 'entityID=" https://idp.example/ "'): string =>
  `<?xml version="1.0"?><!-- from a form --><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" ${id}>${content}</md:EntityDescriptor>`
const services = service('urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST') + service(redirect)

it('reads the issuer, the sign-in URL and every certificate that may sign', () => {
  const keys =
    keyOf(first.certificate, 'use="signing"') +
    keyOf(second.certificate) +
    keyOf(third.certificate, 'use="encryption"') +
    keyOf(first.certificate, 'use="signing"')
  expect(parseMetadata(entity(provider(keys + services)))).toEqual({
    issuer: 'https://idp.example/',
    signInUrl: 'https://idp.example/get?a=1&b=2',
    certificates: [first.certificate, second.certificate],
  })
})

/** A certificate that can be read, with a key that can't: the key is no sequence. */
function brokenKey(): string {
  const certificate = Buffer.from(bodyOf(first.certificate), 'base64')
  const keyAt = certificate.indexOf(Buffer.from('0382010f003082010a', 'hex'))
  certificate.writeUInt8(0x31, keyAt + 5)
  return certificate.toString('base64')
}

const whole = keyOf(first.certificate) + services
it.each([
  ['no XML', 'https://idp.example/metadata', 'outside its root'],
  ['no provider', entity(''), 'describes no identity provider'],
  ['two providers', entity(provider(whole) + provider(whole)), 'more than one'],
  ['no entity id', entity(provider(whole), ''), 'no entityID'],
  ['no certificate', entity(provider(services)), 'no signing certificate'],
  ['another binding', entity(provider(keyOf(first.certificate) + service('urn:other'))), 'HTTP-Redirect'],
  ['a broken certificate', entity(provider(keyOf('AAAA') + services)), 'could not be read'],
  ['a broken key', entity(provider(keyOf(brokenKey()) + services)), 'could not be read'],
  ['an elliptic key', entity(provider(keyOf(selfSigned({ kind: 'ec' }).certificate) + services)), 'RSA key'],
  ['a short key', entity(provider(keyOf(selfSigned({ bits: 1_024 }).certificate) + services)), 'RSA key'],
  ['a document type', `<!DOCTYPE x>${entity(provider(whole))}`, 'document type'],
])('refuses metadata with %s', (_what, text, words) => {
  expect(() => parseMetadata(text)).toThrow(words)
})
