import { parseIsoMoment } from '#lib/parse-iso-moment.ts'
import { attributeOf, childrenNamed, type XmlElement } from '#lib/xml/xml-element.ts'
import { assertIssuer, assertRequest, type SamlExpectation } from './assert-response-address.ts'
import { findOnlyChild, readOnlyChild, readText, SamlFault } from './saml-fault.ts'
import { assertionNamespace, clockToleranceMs } from './saml-names.ts'

/** What a verified assertion says. */
export interface Assertion {
  readonly id: string
  readonly nameId: string
  /** Null if the provider names none. */
  readonly nameIdFormat: string | null
  /** The values of each attribute. */
  readonly attributes: ReadonlyMap<string, readonly string[]>
  /** From then on, the assertion is refused for its age. */
  readonly expiresAtMs: number
}

/** Reads the assertion whose signature was verified, and rejects it unless it is for us, now, and for this request. */
export function readAssertion(assertion: XmlElement, expected: SamlExpectation): Assertion {
  if (assertion.namespace !== assertionNamespace || assertion.name !== 'Assertion') {
    throw new SamlFault('The signed element is not an assertion.')
  }
  assertIssuer(readText(child(assertion, 'Issuer')), expected)
  assertConditions(child(assertion, 'Conditions'), expected)
  const subject = child(assertion, 'Subject')
  return {
    id: attributeOf(assertion, 'ID') ?? '',
    ...nameIdOf(subject),
    attributes: attributesOf(assertion),
    expiresAtMs: assertConfirmation(subject, expected),
  }
}

function child(parent: XmlElement, name: string): XmlElement {
  return readOnlyChild(parent, assertionNamespace, name)
}

function assertConditions(conditions: XmlElement, expected: SamlExpectation): void {
  assertPeriod(conditions, expected.nowMs)
  const restrictions = childrenNamed(conditions, assertionNamespace, 'AudienceRestriction')
  if (restrictions.length === 0) throw new SamlFault('The assertion names no audience.')
  for (const restriction of restrictions) {
    const audiences = childrenNamed(restriction, assertionNamespace, 'Audience').map(readText)
    if (!audiences.includes(expected.audience)) {
      throw new SamlFault(`The audience is ${audiences.join(', ')}, not ${expected.audience}. Check the entity ID.`)
    }
  }
}

const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
// An assertion is used within minutes. A longer life would only keep its id in the database.
const lifeMsMax = 86_400_000

/** When the confirmation expires. Of several, one must be for us. */
function assertConfirmation(subject: XmlElement, expected: SamlExpectation): number {
  const confirmations = childrenNamed(subject, assertionNamespace, 'SubjectConfirmation').filter(
    (each) => attributeOf(each, 'Method') === bearer,
  )
  const [data, second] = confirmations.map((each) => child(each, 'SubjectConfirmationData'))
  if (data === undefined) throw new SamlFault('The assertion has no bearer confirmation.')
  if (second !== undefined) throw new SamlFault('The assertion has more than one bearer confirmation.')
  const recipient = attributeOf(data, 'Recipient')
  if (recipient !== expected.recipient) {
    throw new SamlFault(`The recipient is ${recipient}, not ${expected.recipient}. Check the ACS URL.`)
  }
  assertRequest(attributeOf(data, 'InResponseTo'), expected)
  const endsAtMs = assertPeriod(data, expected.nowMs)
  if (endsAtMs === null) throw new SamlFault('The assertion does not expire: NotOnOrAfter is missing.')
  if (endsAtMs > expected.nowMs + lifeMsMax) throw new SamlFault('The assertion is valid for more than a day.')
  return endsAtMs + clockToleranceMs
}

/** Rejects an element outside its period. Returns when the period ends, or null if it does not. */
function assertPeriod(element: XmlElement, nowMs: number): number | null {
  const beginsAtMs = momentOf(element, 'NotBefore')
  const endsAtMs = momentOf(element, 'NotOnOrAfter')
  if (beginsAtMs !== null && nowMs < beginsAtMs - clockToleranceMs) {
    throw new SamlFault(`The assertion is not valid before ${isoTime(beginsAtMs)}. ${clocks(nowMs)}`)
  }
  if (endsAtMs !== null && nowMs >= endsAtMs + clockToleranceMs) {
    throw new SamlFault(`The assertion expired at ${isoTime(endsAtMs)}. ${clocks(nowMs)}`)
  }
  return endsAtMs
}

function clocks(nowMs: number): string {
  return `Here it is ${isoTime(nowMs)}: compare the provider's clock.`
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}

function momentOf(element: XmlElement, name: string): number | null {
  const text = attributeOf(element, name)
  if (text === null) return null
  const moment = parseIsoMoment(text)
  if (moment === undefined) throw new SamlFault(`${name} is not a time.`)
  return moment
}

const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'

function nameIdOf(subject: XmlElement): Pick<Assertion, 'nameId' | 'nameIdFormat'> {
  const element = child(subject, 'NameID')
  const nameIdFormat = attributeOf(element, 'Format')
  if (nameIdFormat === transient) {
    throw new SamlFault('The name ID is transient, so it is new at each sign-in. Send a persistent name ID.')
  }
  const nameId = readText(element)
  if (nameId === '' || nameId.length > 256) throw new SamlFault('The name ID must have 1 to 256 characters.')
  return { nameId, nameIdFormat }
}

function attributesOf(assertion: XmlElement): ReadonlyMap<string, readonly string[]> {
  const statement = findOnlyChild(assertion, assertionNamespace, 'AttributeStatement')
  const attributes = new Map<string, readonly string[]>()
  for (const attribute of statement === null ? [] : childrenNamed(statement, assertionNamespace, 'Attribute')) {
    const name = attributeOf(attribute, 'Name') ?? ''
    if (attributes.has(name)) throw new SamlFault(`The assertion has the attribute ${name} twice.`)
    // Values may be elements, such as a name ID. Only text is of use here.
    const values = childrenNamed(attribute, assertionNamespace, 'AttributeValue')
    attributes.set(
      name,
      values.filter(({ children }) => children.length === 0).map(({ text }) => text.trim()),
    )
  }
  return attributes
}
