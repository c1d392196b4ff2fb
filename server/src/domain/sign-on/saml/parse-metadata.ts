import { parseXml } from '#lib/xml/parse-xml.ts'
import { attributeOf, childrenNamed, walkXml, type XmlElement } from '#lib/xml/xml-element.ts'
import { parseCertificates } from './certificate.ts'
import { SamlFault } from './saml-fault.ts'
import { metadataNamespace, signatureNamespace } from './saml-names.ts'

export const metadataCharactersMax = 500_000
const elementsMax = 5_000
const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

/** What an identity provider's metadata says about it. */
export interface ProviderMetadata {
  readonly issuer: string
  readonly signInUrl: string
  readonly certificates: readonly string[]
}

/** Reads the metadata of one identity provider. An administrator vouches for it, so its signature is not checked. */
export function parseMetadata(text: string): ProviderMetadata {
  const root = parseXml(text, { charactersMax: metadataCharactersMax, elementsMax, skipsComments: true })
  const providers = [...walkXml(root)].filter(
    ({ element }) => element.namespace === metadataNamespace && element.name === 'IDPSSODescriptor',
  )
  const [provider, second] = providers
  if (provider === undefined) throw new SamlFault('The metadata describes no identity provider.')
  if (second !== undefined) throw new SamlFault('The metadata describes more than one identity provider.')
  const { element, parent } = provider
  const issuer = parent === null ? '' : (attributeOf(parent, 'entityID') ?? '').trim()
  if (issuer === '') throw new SamlFault('The metadata has no entityID.')
  const certificates = certificatesOf(element)
  if (certificates.length === 0) throw new SamlFault('The metadata has no signing certificate.')
  return { issuer, signInUrl: signInUrlOf(element), certificates }
}

function signInUrlOf(provider: XmlElement): string {
  const service = childrenNamed(provider, metadataNamespace, 'SingleSignOnService').find(
    (each) => attributeOf(each, 'Binding') === redirect,
  )
  const location = service === undefined ? null : attributeOf(service, 'Location')
  if (location === null) throw new SamlFault('The metadata has no sign-in URL for HTTP-Redirect.')
  return location
}

/** A key without a declared use is for signing as well. */
function certificatesOf(provider: XmlElement): string[] {
  const texts = childrenNamed(provider, metadataNamespace, 'KeyDescriptor')
    .filter((key) => attributeOf(key, 'use') !== 'encryption')
    .flatMap((key) => [...walkXml(key)])
    .filter(({ element }) => element.namespace === signatureNamespace && element.name === 'X509Certificate')
    .map(({ element }) => element.text)
  return [...new Set(texts.flatMap(parseCertificates))]
}
