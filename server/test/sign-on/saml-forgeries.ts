import {
  assertionXml,
  attributeXml,
  responseXml,
  type ResponseTerms,
  type SigningTerms,
  signXml,
} from './saml-response.ts'
import type { SelfSigned } from './self-signed.ts'

/** What an attacker has: own responses that the provider signed, keys of others, and any XML. */
export interface ForgeryKit {
  /** A genuine answer about the attacker. */
  readonly own: ResponseTerms
  /** The same about the victim, which the provider never signs. */
  readonly victim: ResponseTerms
  readonly key: SelfSigned
  /** A key of the attacker. */
  readonly strangerKey: SelfSigned
  /** The key of another organization's provider. */
  readonly otherKey: SelfSigned
}

export interface Forgery {
  readonly name: string
  readonly forge: (kit: ForgeryKit) => string
  /** What the administrator reads when a test sign-in ends so. */
  readonly words: RegExp
}

const twice = /more than one assertion/
const idOf = ({ own }: Pick<ForgeryKit, 'own'>): string => own.assertionId ?? ''
const sign = (kit: ForgeryKit, xml: string, terms: SigningTerms = {}): string =>
  signXml(xml, kit.key, { id: idOf(kit), ...terms })
const signed = (kit: ForgeryKit, terms: Partial<ResponseTerms> = {}): string =>
  sign(kit, responseXml({ ...kit.own, ...terms }))
const assertionIn = (xml: string): string => /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)?.[0] ?? ''
const signatureIn = (xml: string): string => /<Signature .*<\/Signature>/s.exec(xml)?.[0] ?? ''
const evilOf = ({ victim }: ForgeryKit, assertionId = '_evil'): string => assertionXml({ ...victim, assertionId })
/** The text with the insertion behind the first place that the pattern finds. */
const after = (xml: string, place: string, insertion: string): string => xml.replace(place, () => place + insertion)
const before = (xml: string, place: string, insertion: string): string => xml.replace(place, () => insertion + place)

/** A signed response whose signed element moved, so that a reader could take the evil one. */
const wrappings: readonly Forgery[] = [
  {
    name: 'XSW 1: an evil response whose signature holds the signed one',
    forge: (kit) => {
      const xml = signXml(responseXml(kit.own), kit.key, { id: '_response' })
      const signature = signatureIn(xml)
      const holding = before(signature, '</Signature>', `<Object>${xml.replace(signature, '')}</Object>`)
      return after(evilResponse(kit), '</saml:Issuer>', holding)
    },
    words: /response inside/,
  },
  {
    name: 'XSW 2: an evil response with the signed one behind its signature',
    forge: (kit) => {
      const xml = signXml(responseXml(kit.own), kit.key, { id: '_response' })
      const signature = signatureIn(xml)
      return after(evilResponse(kit), '</saml:Issuer>', signature + xml.replace(signature, ''))
    },
    words: /response inside/,
  },
  {
    name: 'XSW 3: an evil assertion before the signed one',
    forge: (kit) => before(signed(kit), '<saml:Assertion ', evilOf(kit)),
    words: twice,
  },
  {
    name: 'XSW 4: the signed assertion inside the evil one',
    forge: (kit) => {
      const xml = signed(kit)
      const assertion = assertionIn(xml)
      return xml.replace(assertion, () => before(evilOf(kit), '</saml:Assertion>', assertion))
    },
    words: twice,
  },
  {
    name: 'XSW 5: the signature in the evil assertion, the signed one at the end',
    forge: (kit) => {
      const xml = signed(kit)
      const [assertion, signature] = [assertionIn(xml), signatureIn(xml)]
      const evil = after(evilOf(kit), '</saml:Issuer>', signature)
      return xml.replace(assertion, () => evil + assertion.replace(signature, ''))
    },
    words: twice,
  },
  {
    name: 'XSW 6: the signed assertion inside the signature of the evil one',
    forge: (kit) => {
      const xml = signed(kit)
      const [assertion, signature] = [assertionIn(xml), signatureIn(xml)]
      const holding = before(signature, '</Signature>', assertion.replace(signature, ''))
      return xml.replace(assertion, () => after(evilOf(kit), '</saml:Issuer>', holding))
    },
    words: twice,
  },
  {
    name: 'XSW 7: an evil assertion with the signed id in Extensions',
    forge: (kit) =>
      after(signed(kit), '</saml:Issuer>', `<samlp:Extensions>${evilOf(kit, idOf(kit))}</samlp:Extensions>`),
    words: twice,
  },
  {
    name: 'XSW 8: the signed assertion in an Object of the evil one',
    forge: (kit) => {
      const xml = signed(kit)
      const [assertion, signature] = [assertionIn(xml), signatureIn(xml)]
      const holding = before(signature, '</Signature>', `<Object>${assertion.replace(signature, '')}</Object>`)
      return xml.replace(assertion, () => after(evilOf(kit), '</saml:Issuer>', holding))
    },
    words: twice,
  },
  {
    name: 'the signed assertion in the Advice of the evil one',
    forge: (kit) => {
      const xml = signed(kit)
      const advice = `<saml:Advice>${assertionIn(xml)}</saml:Advice>`
      return xml.replace(assertionIn(xml), () => assertionXml({ ...kit.victim, assertionId: '_evil', advice }))
    },
    words: twice,
  },
  {
    name: 'the signature moved to the response',
    forge: (kit) => {
      const xml = signed(kit)
      const signature = signatureIn(xml)
      return after(xml.replace(signature, ''), '</saml:Issuer>', signature)
    },
    words: /signs another element/,
  },
  {
    name: 'the signed assertion twice',
    forge: (kit) => {
      const xml = signed(kit)
      return before(xml, '<saml:Assertion ', assertionIn(xml))
    },
    words: twice,
  },
  {
    name: 'two signatures in the assertion',
    forge: (kit) => {
      const xml = signed(kit)
      return after(xml, signatureIn(xml), signatureIn(xml))
    },
    words: /more than one signature/,
  },
]

function evilResponse({ victim }: ForgeryKit): string {
  return responseXml({ ...victim, assertionId: '_evil' }).replace('ID="_response"', 'ID="_evil_response"')
}

const tamperings: readonly Forgery[] = [
  { name: 'no signature', forge: ({ victim }) => responseXml(victim), words: /is signed/ },
  {
    name: 'a changed name id',
    forge: (kit) => signed(kit).replace(`>${kit.own.nameId}<`, () => `>${kit.victim.nameId}<`),
    words: /does not match the certificates/,
  },
  {
    name: "the attacker's key",
    forge: ({ victim, strangerKey }) => signXml(responseXml(victim), strangerKey, { id: idOf({ own: victim }) }),
    words: /does not match the certificates/,
  },
  {
    name: "the key of another organization's provider",
    forge: ({ victim, otherKey }) => signXml(responseXml(victim), otherKey, { id: idOf({ own: victim }) }),
    words: /does not match the certificates/,
  },
  {
    name: 'a signature with SHA-1',
    forge: (kit) => sign(kit, responseXml(kit.own), { signature: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }),
    words: /weak or unknown algorithm/,
  },
  {
    name: 'a digest with SHA-1',
    forge: (kit) => sign(kit, responseXml(kit.own), { digest: 'http://www.w3.org/2000/09/xmldsig#sha1' }),
    words: /weak or unknown algorithm/,
  },
  {
    name: 'canonicalization that keeps comments',
    forge: (kit) =>
      sign(kit, responseXml(kit.own), { canonicalization: 'http://www.w3.org/2001/10/xml-exc-c14n#WithComments' }),
    words: /form that is not allowed/,
  },
  {
    name: 'a transform that keeps comments',
    forge: (kit) =>
      sign(kit, responseXml(kit.own), {
        transforms: [
          'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
          'http://www.w3.org/2001/10/xml-exc-c14n#WithComments',
        ],
      }),
    words: /form that is not allowed/,
  },
  {
    name: 'a transform outside the list',
    forge: (kit) =>
      before(
        signed(kit),
        '</Transforms>',
        '<Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><XPath>self::node()</XPath></Transform>',
      ),
    words: /form that is not allowed/,
  },
  {
    name: 'a reference to the whole document',
    forge: (kit) => signed(kit).replace(`URI="#${idOf(kit)}"`, 'URI=""'),
    words: /signs another element/,
  },
  {
    name: 'a second reference',
    forge: (kit) => {
      const xml = signed(kit)
      const reference = /<Reference .*<\/Reference>/s.exec(xml)?.[0] ?? ''
      return after(xml, reference, reference)
    },
    words: /form that is not allowed/,
  },
]

const wrongTerms: readonly Forgery[] = [
  { name: 'an expired assertion', forge: (kit) => signed(kit, { endsInS: -90 }), words: /expired at .* compare/ },
  { name: 'an assertion of the future', forge: (kit) => signed(kit, { beginsInS: 90 }), words: /not valid before/ },
  {
    name: 'another audience',
    forge: (kit) => signed(kit, { audience: 'https://other.example/' }),
    words: /audience is https:\/\/other\.example/,
  },
  {
    name: 'another recipient',
    forge: (kit) => signed(kit, { recipient: 'https://other.example/acs', destination: kit.own.recipient }),
    words: /recipient is https:\/\/other\.example/,
  },
  {
    name: 'another destination',
    forge: (kit) => signed(kit, { destination: 'https://other.example/acs' }),
    words: /response is for https:\/\/other\.example/,
  },
  {
    name: 'another issuer',
    forge: (kit) => signed(kit, { issuer: 'https://other.example/' }),
    words: /issuer is https:\/\/other\.example/,
  },
  {
    name: 'another issuer of the assertion alone',
    forge: (kit) => sign(kit, responseXml(kit.own, assertionXml({ ...kit.own, issuer: 'https://other.example/' }))),
    words: /issuer is https:\/\/other\.example/,
  },
  {
    name: 'the answer to another request',
    forge: (kit) => signed(kit, { requestId: '_another' }),
    words: /InResponseTo does not match/,
  },
  {
    name: 'another request in the assertion alone',
    forge: (kit) => sign(kit, responseXml(kit.own, assertionXml({ ...kit.own, requestId: '_another' }))),
    words: /InResponseTo does not match/,
  },
  { name: 'no request', forge: (kit) => signed(kit, { requestId: null }), words: /InResponseTo is missing/ },
  {
    name: 'no request in the assertion alone',
    forge: (kit) => sign(kit, responseXml(kit.own, assertionXml({ ...kit.own, requestId: null }))),
    words: /InResponseTo is missing/,
  },
]

const oddXml: readonly Forgery[] = [
  {
    name: 'a comment in the name id',
    forge: (kit) => signed(kit).replace(`>${kit.own.nameId}<`, () => `>${kit.own.nameId}<!-- -->x<`),
    words: /comment/,
  },
  {
    name: 'a comment that was there when it was signed',
    forge: (kit) => signed(kit, { nameIdXml: `${kit.victim.nameId}<!-- -->.evil.example` }),
    words: /comment/,
  },
  {
    name: 'CDATA in the name id',
    forge: (kit) => signed(kit).replace(`>${kit.own.nameId}<`, () => `><![CDATA[${kit.own.nameId}]]><`),
    words: /not valid/,
  },
  {
    name: 'a document type with an entity',
    forge: (kit) => `<!DOCTYPE x [<!ENTITY who "${kit.victim.nameId}">]>${signed(kit)}`,
    words: /document type/,
  },
  { name: 'an entity', forge: (kit) => signed(kit).replace(`>${kit.own.nameId}<`, '>&who;<'), words: /entity/ },
  {
    name: 'entities that grow',
    forge: (kit) => `<!DOCTYPE x [<!ENTITY a "aa"><!ENTITY b "&a;&a;&a;">]>${signed(kit)}`,
    words: /document type/,
  },
  {
    name: 'a very long response',
    forge: (kit) => signed(kit).replace('<samlp:Status>', () => `<samlp:Status>${' '.repeat(300_000)}`),
    words: /longer than/,
  },
  {
    name: 'elements without end',
    forge: (kit) => before(signed(kit), '<samlp:Status>', '<samlp:Extensions>'.repeat(5_000)),
    words: /nested too deeply/,
  },
  {
    name: 'an encrypted assertion',
    forge: ({ own }) => responseXml(own, '<saml:EncryptedAssertion/>'),
    words: /Turn encryption off/,
  },
]

/** The families of "The Fragile Lock" (2025): two parsers that see two documents. */
const twoReadings: readonly Forgery[] = [
  {
    name: 'an attribute of the same name twice',
    forge: (kit) => signed(kit).replace(`ID="${idOf(kit)}"`, `ID="_evil" ID="${idOf(kit)}"`),
    words: /attribute ID twice/,
  },
  {
    name: 'an ID in a namespace beside the plain one',
    forge: (kit) => signed(kit).replace(`ID="${idOf(kit)}"`, `ID="${idOf(kit)}" samlp:ID="_evil"`),
    words: /ID that is not allowed/,
  },
  {
    name: 'an id in lower case that equals the signed one',
    forge: (kit) => signed(kit).replace('<samlp:Status>', `<samlp:Status id="${idOf(kit)}">`),
    words: /same ID twice/,
  },
  {
    name: 'an assertion in no namespace',
    forge: (kit) => before(signed(kit), '<saml:Assertion ', evilOf(kit).replaceAll('saml:', '')),
    words: twice,
  },
  {
    name: 'an assertion in another namespace in place of the signed one',
    forge: (kit) => signed(kit).replaceAll('tc:SAML:2.0:assertion', 'tc:SAML:1.0:assertion'),
    words: /namespace that is not allowed|not where it belongs|no Issuer/,
  },
  {
    name: 'a signature in another namespace',
    forge: (kit) => signed(kit).replaceAll('http://www.w3.org/2000/09/xmldsig#"', 'http://www.w3.org/2000/09/xmldsig"'),
    words: /namespace that is not allowed|where none belongs/,
  },
  {
    name: 'the prefix xml declared anew',
    forge: (kit) => signed(kit).replace('<samlp:Response ', '<samlp:Response xmlns:xml="urn:evil" '),
    words: /namespace that is not allowed/,
  },
  {
    name: 'a relative namespace, which canonicalization fails on',
    forge: (kit) => signed(kit).replace('<samlp:Response ', '<samlp:Response xmlns:evil="1" '),
    words: /namespace that is not allowed/,
  },
  {
    name: 'the digest of nothing',
    forge: (kit) =>
      signed(kit).replace(/<DigestValue>[^<]*</, '<DigestValue>47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=<'),
    words: /does not match the certificates/,
  },
  {
    name: 'a second attribute of the same name, signed',
    forge: (kit) => signed(kit, { statementXml: attributeXml('mail', kit.victim.attributes['mail'] ?? []) }),
    words: /attribute mail twice/,
  },
  {
    name: 'a second value of the address, signed',
    forge: (kit) => {
      const mail = [...(kit.own.attributes['mail'] ?? []), ...(kit.victim.attributes['mail'] ?? [])]
      return signed(kit, { attributes: { mail } })
    },
    words: /more than one email address/,
  },
]

export const forgeries: readonly Forgery[] = [...wrappings, ...tamperings, ...wrongTerms, ...oddXml, ...twoReadings]
