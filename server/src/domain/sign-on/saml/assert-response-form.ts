import { attributeOf, childrenNamed, walkXml, type XmlElement } from '#lib/xml/xml-element.ts'
import { assertSignatureForm } from './assert-signature-form.ts'
import { SamlFault } from './saml-fault.ts'
import { assertionNamespace, exclusiveCanonical, protocolNamespace, signatureNamespace } from './saml-names.ts'

/**
 * Rejects responses in which the verified element and the one that is read could differ, before a signature is
 * verified: the response is the root, has exactly one assertion, and each signature is in the element that it signs.
 * Returns the id of the assertion.
 */
export function assertResponseForm(root: XmlElement): string {
  if (root.namespace !== protocolNamespace || root.name !== 'Response') {
    throw new SamlFault('The answer is not a SAML response.')
  }
  const assertion = onlyAssertion(root)
  assertVersion(root)
  assertVersion(assertion)
  assertIds(root)
  assertNamespaces(root)
  assertSignatures(root, assertion)
  return idOf(assertion)
}

/** Names are compared without case and namespace, so that no other parser can see a second assertion. */
function onlyAssertion(root: XmlElement): XmlElement {
  const assertions: { element: XmlElement; parent: XmlElement | null }[] = []
  for (const each of walkXml(root)) {
    const name = each.element.name.toLowerCase()
    if (name.startsWith('encrypted')) {
      throw new SamlFault('The provider encrypts assertions. Turn encryption off: the connection is encrypted by TLS.')
    }
    if (name === 'assertion') assertions.push(each)
    if (name === 'response' && each.element !== root) throw new SamlFault('The response has a response inside.')
  }
  const [only, second] = assertions
  if (only === undefined) throw new SamlFault('The response has no assertion.')
  if (second !== undefined) throw new SamlFault('The response has more than one assertion.')
  if (only.parent !== root || only.element.namespace !== assertionNamespace) {
    throw new SamlFault('The assertion is not where it belongs.')
  }
  return only.element
}

function assertVersion(element: XmlElement): void {
  if (attributeOf(element, 'Version') !== '2.0') throw new SamlFault(`The ${element.name} element is not SAML 2.0.`)
}

function idOf(element: XmlElement): string {
  return attributeOf(element, 'ID') ?? ''
}

const idForm = /^[A-Za-z_][\w.-]{0,255}$/

/** Signature libraries find the signed element by `ID`, `Id` or `id` in any namespace. */
function assertIds(root: XmlElement): void {
  const known = new Set<string>()
  for (const { element } of walkXml(root)) {
    for (const { namespace, name, value } of element.attributes) {
      if (name.toLowerCase() !== 'id') continue
      if (namespace !== '' || !idForm.test(value)) throw new SamlFault('The response has an ID that is not allowed.')
      if (known.has(value)) throw new SamlFault('The response has the same ID twice.')
      known.add(value)
    }
  }
  const isSignable = root.children.every((child) => child.name !== 'Assertion' || idForm.test(idOf(child)))
  if (!isSignable || !idForm.test(idOf(root))) throw new SamlFault('The response or its assertion has no ID.')
}

const namespaces = new Set([protocolNamespace, assertionNamespace, signatureNamespace, exclusiveCanonical])
// Their content is the provider's own.
const openElements = new Set(['AttributeValue', 'KeyInfo', 'AuthnContextDecl', 'StatusDetail'])

/** Outside attribute values, an element in another namespace could pass for one of SAML's in another parser. */
function assertNamespaces(element: XmlElement): void {
  if (!namespaces.has(element.namespace)) {
    throw new SamlFault(`The element ${element.name} is in a namespace that is not allowed.`)
  }
  // Canonicalization of a relative namespace has no result, and a digest of nothing is the same for every document.
  for (const { element: each } of walkXml(element)) {
    if (!each.declared.every((uri) => uri === '' || /^[a-z][\w+.-]*:\S+$/i.test(uri))) {
      throw new SamlFault('The response declares a namespace that is not allowed.')
    }
  }
  assertChildNamespaces(element)
}

function assertChildNamespaces(element: XmlElement): void {
  for (const child of element.children) {
    if (!namespaces.has(child.namespace)) {
      throw new SamlFault(`The element ${child.name} is in a namespace that is not allowed.`)
    }
    if (!openElements.has(child.name)) assertChildNamespaces(child)
  }
}

function assertSignatures(root: XmlElement, assertion: XmlElement): void {
  let count = 0
  for (const { element, parent } of walkXml(root)) {
    if (element.name.toLowerCase() !== 'signature') continue
    if (element.namespace !== signatureNamespace || (parent !== root && parent !== assertion)) {
      throw new SamlFault('The response has a signature where none belongs.')
    }
    if (childrenNamed(parent, signatureNamespace, 'Signature').length > 1) {
      throw new SamlFault('An element has more than one signature.')
    }
    assertSignatureForm(element, idOf(parent))
    count += 1
  }
  if (count === 0) throw new SamlFault('Neither the response nor its assertion is signed. Turn on signed assertions.')
}
