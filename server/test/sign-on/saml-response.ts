import { SignedXml } from 'xml-crypto'
import type { SelfSigned } from './self-signed.ts'

/** What a response says. Dates are relative to now, in seconds. */
export interface ResponseTerms {
  readonly issuer: string
  readonly audience: string
  readonly recipient: string
  /** Null for a sign-in that the provider began. */
  readonly requestId: string | null
  readonly nameId: string
  /** Persistent if it is left out. Null for a name id without a format. */
  readonly nameIdFormat?: string | null
  readonly attributes: Readonly<Record<string, readonly string[]>>
  readonly beginsInS?: number
  readonly endsInS?: number
  readonly assertionId?: string
  /** Further attributes and elements, as XML. */
  readonly nameIdXml?: string
  readonly statementXml?: string
  readonly advice?: string
  readonly destination?: string
}

const namespaces =
  'xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"'
const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'

/** An unsigned response, as a provider would send it. */
export function responseXml(terms: ResponseTerms, assertion = assertionXml(terms)): string {
  const { issuer, recipient, requestId, destination = recipient } = terms
  return `<samlp:Response ${namespaces} ID="_response" Version="2.0" IssueInstant="${momentIn(0)}" Destination="${destination}"${inResponseTo(requestId)}><saml:Issuer>${issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${assertion}</samlp:Response>`
}

export function assertionXml(terms: ResponseTerms): string {
  const { issuer, audience, recipient, requestId, nameId, attributes, advice = '', statementXml = '' } = terms
  const { beginsInS = -60, endsInS = 300, assertionId = '_assertion', nameIdXml = nameId } = terms
  const { nameIdFormat = persistent } = terms
  const format = nameIdFormat === null ? '' : ` Format="${nameIdFormat}"`
  const period = `NotBefore="${momentIn(beginsInS)}" NotOnOrAfter="${momentIn(endsInS)}"`
  const written = Object.entries(attributes).map(([name, values]) => attributeXml(name, values))
  return `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${assertionId}" Version="2.0" IssueInstant="${momentIn(0)}"><saml:Issuer>${issuer}</saml:Issuer><saml:Subject><saml:NameID${format}>${nameIdXml}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${momentIn(endsInS)}" Recipient="${recipient}"${inResponseTo(requestId)}/></saml:SubjectConfirmation></saml:Subject><saml:Conditions ${period}><saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>${advice}<saml:AttributeStatement>${written.join('')}${statementXml}</saml:AttributeStatement></saml:Assertion>`
}

export function attributeXml(name: string, values: readonly string[]): string {
  const written = values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`)
  return `<saml:Attribute Name="${name}">${written.join('')}</saml:Attribute>`
}

function inResponseTo(requestId: string | null): string {
  return requestId === null ? '' : ` InResponseTo="${requestId}"`
}

function momentIn(seconds: number): string {
  return new Date(Date.now() + seconds * 1_000).toISOString()
}

const canonical = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'

export interface SigningTerms {
  /** The id of the element to sign. */
  readonly id?: string
  readonly signature?: string
  readonly digest?: string
  readonly transforms?: readonly string[]
  readonly canonicalization?: string
}

/** Signs the element with the library's own signer and puts the signature behind its issuer. */
export function signXml(xml: string, { privateKey, certificate }: SelfSigned, terms: SigningTerms = {}): string {
  const {
    id = '_assertion',
    signature = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    digest = 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms = [enveloped, canonical],
    canonicalization = canonical,
  } = terms
  const signer = new SignedXml({
    privateKey,
    publicCert: certificate,
    signatureAlgorithm: signature,
    canonicalizationAlgorithm: canonicalization,
  })
  const xpath = `//*[@ID='${id}']`
  signer.addReference({ xpath, transforms: [...transforms], digestAlgorithm: digest })
  signer.computeSignature(xml, { location: { reference: `${xpath}/*[local-name()='Issuer']`, action: 'after' } })
  return signer.getSignedXml()
}
