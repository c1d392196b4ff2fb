import { attributeOf, childrenNamed, walkXml, type XmlElement } from '#lib/xml/xml-element.ts'
import { findOnlyChild, readText, SamlFault } from './saml-fault.ts'
import { assertionNamespace, protocolNamespace } from './saml-names.ts'

/** What an answer must be for. */
export interface SamlExpectation {
  /** The provider's entity id. */
  readonly issuer: string
  /** Our entity id for the organization. */
  readonly audience: string
  /** The address at which the organization takes answers. */
  readonly recipient: string
  /** The id of our request. Null if the provider began the sign-in. */
  readonly requestId: string | null
  readonly nowMs: number
}

/**
 * Rejects a response of another provider, for another address or to another request. The response itself may be
 * unsigned, so this refuses early and in clear words; the assertion says the same and is signed.
 */
export function assertResponseAddress(root: XmlElement, expected: SamlExpectation): void {
  assertSuccess(root)
  const issuer = findOnlyChild(root, assertionNamespace, 'Issuer')
  if (issuer !== null) assertIssuer(readText(issuer), expected)
  const destination = attributeOf(root, 'Destination')
  if (destination !== null && destination !== expected.recipient) {
    throw new SamlFault(`The response is for ${destination}, not for ${expected.recipient}. Check the ACS URL.`)
  }
  assertRequest(attributeOf(root, 'InResponseTo'), expected)
}

export function assertIssuer(issuer: string, expected: Pick<SamlExpectation, 'issuer'>): void {
  if (issuer !== expected.issuer) throw new SamlFault(`The issuer is ${issuer}, not ${expected.issuer}.`)
}

/** The answer to a request must name it, and an answer without a request must name none. */
export function assertRequest(inResponseTo: string | null, { requestId }: Pick<SamlExpectation, 'requestId'>): void {
  if (inResponseTo === requestId) return
  throw new SamlFault(
    inResponseTo === null
      ? 'The answer does not name a request: InResponseTo is missing.'
      : 'The answer is for another request: InResponseTo does not match.',
  )
}

const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'

/** Providers often send refusals unsigned. They sign no one in, so their words can be shown. */
function assertSuccess(root: XmlElement): void {
  const status = findOnlyChild(root, protocolNamespace, 'Status')
  if (status === null) throw new SamlFault('The response has no status.')
  const codes = [...walkXml(status)]
    .filter(({ element }) => element.namespace === protocolNamespace && element.name === 'StatusCode')
    .map(({ element }) => attributeOf(element, 'Value') ?? '')
  if (codes[0] === success) return
  const [message] = childrenNamed(status, protocolNamespace, 'StatusMessage')
  const words = codes.map((code) => code.replace(/^.*:/, '')).join(', ')
  throw new SamlFault(`The provider answered ${words}${message === undefined ? '' : `: ${message.text.trim()}`}`)
}
