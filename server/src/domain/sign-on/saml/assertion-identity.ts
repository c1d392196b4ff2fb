import { isMailAddress } from '#lib/mail-address.ts'
import type { SamlSettings } from '../connection.ts'
import { boundClaims, type ProvenIdentity } from '../proven-identity.ts'
import type { Assertion } from './read-assertion.ts'
import { SamlFault } from './saml-fault.ts'

// What providers commonly call a person's whole name.
const nameAttributes = [
  'displayName',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'http://schemas.microsoft.com/identity/claims/displayname',
  'cn',
  'urn:oid:2.5.4.3',
  'name',
]

/** The person that an assertion is about. */
export function assertionIdentity(
  assertion: Pick<Assertion, 'nameId' | 'nameIdFormat' | 'attributes'>,
  settings: Pick<SamlSettings, 'emailAttribute' | 'subjectAttribute' | 'groupsAttribute'>,
): ProvenIdentity {
  const { nameId, attributes } = assertion
  const { emailAttribute, subjectAttribute, groupsAttribute } = settings
  const addresses = emailAttribute === null ? [nameId] : (attributes.get(emailAttribute) ?? [])
  // A second address could be the one that another reader takes.
  if (addresses.length > 1) throw new SamlFault('The provider sent more than one email address.')
  const email = addresses.find(isMailAddress) ?? null
  const [name = null] = nameAttributes.flatMap((each) => attributes.get(each)?.slice(0, 1) ?? [])
  return {
    subject: subjectAttribute === null ? subjectInNameId(assertion) : subjectIn(attributes, subjectAttribute, email),
    email,
    name,
    groups: attributes.get(groupsAttribute) ?? null,
    claims: boundClaims({ NameID: nameId, ...Object.fromEntries(claimsOf(attributes)) }),
  }
}

const addressFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'

/**
 * A name id that is an address is refused whatever its format says: an address passes to another person, who would get
 * the account of the first. Google and Okta send addresses in any format, also as persistent.
 */
function subjectInNameId({
  nameId,
  nameIdFormat,
  attributes,
}: Pick<Assertion, 'nameId' | 'nameIdFormat' | 'attributes'>): string {
  if (nameIdFormat !== addressFormat && !isMailAddress(nameId)) return nameId
  throw new SamlFault(
    `The name ID is an email address, which can pass to another person. Set the subject attribute. ${sent(attributes)}`,
  )
}

const subjectMax = 256

function subjectIn(attributes: Assertion['attributes'], name: string, email: string | null): string {
  const [subject = '', second] = attributes.get(name) ?? []
  if (subject === '')
    throw new SamlFault(`The provider sent no value for the subject attribute ${name}. ${sent(attributes)}`)
  if (second !== undefined) throw new SamlFault(`The subject attribute ${name} has more than one value.`)
  if (subject.length > subjectMax)
    throw new SamlFault(`The subject attribute ${name} is longer than ${subjectMax} characters.`)
  if (subject.toLowerCase() === email?.toLowerCase()) {
    throw new SamlFault(`The subject attribute ${name} is the email address, which can pass to another person.`)
  }
  return subject
}

const namesMax = 20

/** The administrator chooses the subject attribute from these. */
function sent(attributes: Assertion['attributes']): string {
  const names = [...attributes.keys()].slice(0, namesMax)
  return names.length === 0 ? 'The provider sent no attributes.' : `The provider sent ${names.join(', ')}.`
}

function claimsOf(attributes: Assertion['attributes']): [string, string | string[]][] {
  return [...attributes].map(([name, values]) => {
    const [only] = values
    return [name, values.length === 1 && only !== undefined ? only : [...values]]
  })
}
