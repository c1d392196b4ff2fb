import { attributeOf, type XmlElement } from '#lib/xml/xml-element.ts'
import { readOnlyChild, SamlFault } from './saml-fault.ts'
import { exclusiveCanonical, signatureNamespace } from './saml-names.ts'

const signatureMethods = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
])
const digestMethods = new Set(['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512'])
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'

/** Rejects a signature unless it signs exactly the element around it, with strong algorithms and no other content. */
export function assertSignatureForm(signature: XmlElement, signedId: string): void {
  const [first, ...others] = signature.children.map(({ name }) => name)
  if (first !== 'SignedInfo' || !/^SignatureValue(?:,KeyInfo)?$/.test(others.join())) throw misshapen()
  const signedInfo = readOnlyChild(signature, signatureNamespace, 'SignedInfo')
  assertChildren(signedInfo, ['CanonicalizationMethod', 'SignatureMethod', 'Reference'])
  assertCanonical(readOnlyChild(signedInfo, signatureNamespace, 'CanonicalizationMethod'))
  assertMethod(readOnlyChild(signedInfo, signatureNamespace, 'SignatureMethod'), signatureMethods)
  const reference = readOnlyChild(signedInfo, signatureNamespace, 'Reference')
  assertChildren(reference, ['Transforms', 'DigestMethod', 'DigestValue'])
  if (attributeOf(reference, 'URI') !== `#${signedId}`) throw new SamlFault('A signature signs another element.')
  assertMethod(readOnlyChild(reference, signatureNamespace, 'DigestMethod'), digestMethods)
  const transforms = readOnlyChild(reference, signatureNamespace, 'Transforms')
  assertChildren(transforms, ['Transform', 'Transform'])
  const [removal, canonical] = transforms.children
  if (removal === undefined || canonical === undefined || algorithmOf(removal) !== enveloped) throw misshapen()
  assertChildren(removal, [])
  assertCanonical(canonical)
}

/** Exclusive canonicalization without comments. Prefixes may be listed for it, for types of attribute values. */
function assertCanonical(method: XmlElement): void {
  if (algorithmOf(method) !== exclusiveCanonical) throw misshapen()
  if (
    method.children.some(({ namespace, name }) => namespace !== exclusiveCanonical || name !== 'InclusiveNamespaces')
  ) {
    throw misshapen()
  }
}

function assertMethod(method: XmlElement, allowed: ReadonlySet<string>): void {
  assertChildren(method, [])
  if (!allowed.has(algorithmOf(method))) {
    throw new SamlFault('The signature uses a weak or unknown algorithm. Choose RSA with SHA-256 at the provider.')
  }
}

function algorithmOf(method: XmlElement): string {
  return attributeOf(method, 'Algorithm') ?? ''
}

function assertChildren({ children }: XmlElement, names: readonly string[]): void {
  if (children.map(({ name }) => name).join() !== names.join()) throw misshapen()
}

function misshapen(): SamlFault {
  return new SamlFault('The signature has a form that is not allowed.')
}
