import { assertResponseAddress } from '#domain/sign-on/saml/assert-response-address.ts'
import { assertResponseForm } from '#domain/sign-on/saml/assert-response-form.ts'
import { parseMetadata } from '#domain/sign-on/saml/parse-metadata.ts'
import { readAssertion } from '#domain/sign-on/saml/read-assertion.ts'
import { SamlFault } from '#domain/sign-on/saml/saml-fault.ts'
import { parseXml, XmlFault } from '#lib/xml/parse-xml.ts'
import { walkXml } from '#lib/xml/xml-element.ts'
import { ensure } from '../engine/expect.ts'
import type { FuzzTarget } from '../target.ts'

const recipient = 'https://weir.test/acs'
const words = [
  '<saml:Assertion ',
  '<!--',
  '<![CDATA[',
  '<!DOCTYPE ',
  '&amp;',
  '&#x41;',
  'xmlns:p="urn:p"',
  ' ID="_a"',
  ']]>',
]

/** What browsers bring from SAML providers, before and after a signature is verified, and providers' metadata. */
export const xmlTargets: readonly FuzzTarget[] = [
  target('saml-response', (text) => {
    const root = parseXml(text, { charactersMax: 262_144, elementsMax: 3_000, skipsComments: false })
    const expected = {
      issuer: 'https://idp.example/',
      audience: 'https://weir.test/metadata',
      recipient,
      requestId: '_request',
      nowMs: Date.parse('2030-01-01T00:00:00Z'),
    }
    assertResponseAddress(root, expected)
    const id = assertResponseForm(root)
    const assertions = [...walkXml(root)].filter(({ element }) => element.name === 'Assertion')
    ensure(assertions.length === 1, 'a response has one assertion')
    for (const { element } of assertions)
      ensure(readAssertion(element, expected).id === id, 'it is the one that is read')
  }),
  target('saml-metadata', (text) => {
    const { issuer, certificates } = parseMetadata(text)
    ensure(issuer !== '' && certificates.length > 0, 'a provider has a name and a certificate')
  }),
]

function target(name: string, read: (text: string) => void): FuzzTarget {
  return {
    name,
    runs: 20_000,
    words,
    run: (input) => {
      try {
        read(input.toString('utf8'))
      } catch (error) {
        if (!(error instanceof SamlFault || error instanceof XmlFault)) throw error
      }
    },
  }
}
