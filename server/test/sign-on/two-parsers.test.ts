import { createRequire } from 'node:module'
import { assert, array, constantFrom, nat, property, tuple } from 'fast-check'
import { expect, it } from 'vitest'
import { parseXml, XmlFault } from '#lib/xml/parse-xml.ts'
import type { XmlElement } from '#lib/xml/xml-element.ts'
import { responseXml, signXml } from './saml-response.ts'
import { selfSigned } from './self-signed.ts'

/** The part of a document's nodes that the test compares. */
interface DomNode {
  readonly nodeType: number
  readonly namespaceURI: string | null
  readonly localName: string
  readonly nodeName: string
  readonly nodeValue: string | null
  readonly childNodes: ArrayLike<DomNode>
  readonly attributes: ArrayLike<DomNode>
  readonly documentElement: DomNode
}
interface Xmldom {
  readonly DOMParser: new (options: object) => { parseFromString(text: string, type: string): DomNode }
}

// Its types would add those of browsers to the whole program, so it is not imported.
const { DOMParser } = createRequire(import.meta.url)('@xmldom/xmldom') as Xmldom

type Reading = readonly [namespace: string, name: string, attributes: readonly string[], text: string, Reading[]]

function readOurs({ namespace, name, attributes, text, children }: XmlElement): Reading {
  const written = attributes.map((each) => `${each.namespace} ${each.name} ${each.value}`)
  return [namespace, name, written.toSorted(), text, children.map(readOurs)]
}

function readTheirs(node: DomNode): Reading {
  const children = Array.from(node.childNodes)
  const attributes = Array.from(node.attributes)
    .filter(({ nodeName }) => !/^xmlns(?::|$)/.test(nodeName))
    .map((each) => `${each.namespaceURI ?? ''} ${each.localName} ${each.nodeValue}`)
  const text = children.filter(({ nodeType }) => nodeType === 3).map(({ nodeValue }) => nodeValue ?? '')
  const elements = children.filter(({ nodeType }) => nodeType === 1).map(readTheirs)
  return [node.namespaceURI ?? '', node.localName, attributes.toSorted(), text.join(''), elements]
}

const signed = signXml(
  responseXml({
    issuer: 'https://idp.example/',
    audience: 'https://weir.test/metadata',
    recipient: 'https://weir.test/acs',
    requestId: '_request',
    nameId: 'ada',
    attributes: { mail: ['ada@acme.example'], groups: ['a &amp; b', '\n\t&#13;x'] },
  }),
  selfSigned(),
  { id: '_assertion' },
)
const fragments = [
  ['', ' ', '\r\n', '\t', '<', '>', '&', '"', "'", '/', ':', '=', ';', '\u0000', '\u00A0', '\uFEFF', 'é'],
  ['<!--', '-->', '<![CDATA[', ']]>', '<?x', '?>', '<!DOCTYPE a>', '&lt;', '&#60;', '&#x3c;', '&who;', '&amp;lt;'],
  ['xmlns="urn:x" ', 'xmlns:saml="urn:x" ', ' ID="_x"', ' saml:ID="_x"', ' xml:id="_x"', ' xmlns:p="urn:p"'],
  ['<saml:Assertion>', '</saml:Assertion>', '<a/>', '<p:a xmlns:p="urn:p"/>', '</samlp:Response>', 'saml:', 'p:'],
].flat()

const edits = array(tuple(nat(), nat(6), constantFrom(...fragments)), { minLength: 1, maxLength: 3 })

it('the document that the signature library sees is the one that we read, whatever was changed in it', () => {
  let accepted = 0
  assert(
    property(edits, (changes) => {
      const text = changes.reduce((xml, [at, length, fragment]) => {
        const start = at % xml.length
        return xml.slice(0, start) + fragment + xml.slice(start + length)
      }, signed)
      let ours: XmlElement
      try {
        ours = parseXml(text, { charactersMax: 100_000, elementsMax: 500, skipsComments: false })
      } catch (error) {
        expect(error).toBeInstanceOf(XmlFault)
        return
      }
      accepted += 1
      const quiet = { locator: {}, errorHandler: () => {} }
      // The library normalizes line ends before it parses.
      const theirs = new DOMParser(quiet).parseFromString(text.replace(/\r\n?/g, '\n'), 'text/xml')
      expect(readOurs(ours)).toEqual(readTheirs(theirs.documentElement))
    }),
    { numRuns: 5_000 },
  )
  expect(accepted).toBeGreaterThan(200)
})
