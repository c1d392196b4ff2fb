import { randomBytes } from 'node:crypto'
import type * as NodeSaml from '@node-saml/node-saml'
import { assertResponseAddress } from '#domain/sign-on/saml/assert-response-address.ts'
import { assertResponseForm } from '#domain/sign-on/saml/assert-response-form.ts'
import { assertionIdentity } from '#domain/sign-on/saml/assertion-identity.ts'
import { certificateEndsAtMs } from '#domain/sign-on/saml/certificate.ts'
import { readAssertion } from '#domain/sign-on/saml/read-assertion.ts'
import { SamlFault } from '#domain/sign-on/saml/saml-fault.ts'
import { parseXml } from '#lib/xml/parse-xml.ts'
import type { ProvenAssertion, SamlAnswer, SamlClient, SamlQuery } from '#ports/sign-on.ts'

// Responses have some 10 KB; many groups make them longer.
const xmlTerms = { charactersMax: 262_144, elementsMax: 3_000, skipsComments: false }

/**
 * Signs people in at SAML providers with `@node-saml/node-saml`, which builds requests and verifies signatures. The
 * response is judged before: its form leaves the library a single assertion and signatures only where they belong. The
 * claims are read after, by our own parser, from the bytes whose digest was signed, and from nothing else.
 */
export function createSamlClient(): SamlClient {
  return {
    begin: async (query) => {
      const requestId = `_${randomBytes(20).toString('hex')}`
      const saml = await open(query, { certificates: query.settings.certificates, requestId })
      return { url: await saml.getAuthorizeUrlAsync(query.state, undefined, {}), memory: { requestId } }
    },
    finish: async (query) => {
      const { settings, audience, recipient, requestId, nowMs } = query
      const expected = { issuer: settings.issuer, audience, recipient, requestId, nowMs }
      const root = parseXml(decode(query.response), xmlTerms)
      assertResponseAddress(root, expected)
      const assertionId = assertResponseForm(root)
      const assertion = readAssertion(parseXml(await verify(query), xmlTerms), expected)
      if (assertion.id !== assertionId) throw new SamlFault('The signed assertion is another one.')
      const identity = assertionIdentity(assertion, settings)
      return { identity, assertionId, expiresAtMs: assertion.expiresAtMs } satisfies ProvenAssertion
    },
  }
}

function decode(base64: string): string {
  const compact = base64.replace(/\s/g, '')
  if (!/^[A-Za-z\d+/]+={0,2}$/.test(compact)) throw new SamlFault('The response is not base64.')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(compact, 'base64'))
  } catch {
    throw new SamlFault('The response is not text.')
  }
}

/** The text of the assertion that one of the certificates has signed. */
async function verify(query: SamlQuery & SamlAnswer): Promise<string> {
  const certificates = query.settings.certificates.filter((pem) => certificateEndsAtMs(pem) > query.nowMs)
  if (certificates.length === 0) throw new SamlFault("The provider's certificate has expired. Add its new certificate.")
  const saml = await open(query, { certificates, requestId: '' })
  const { profile } = await validate(saml, query.response.replace(/\s/g, ''))
  const text: unknown = profile?.getAssertionXml?.()
  if (typeof text !== 'string') throw new SamlFault('The response has no signed assertion.')
  return text
}

async function validate(saml: NodeSaml.SAML, response: string) {
  try {
    return await saml.validatePostResponseAsync({ SAMLResponse: response })
  } catch (error) {
    // The library's words for a signature name no cause that an administrator could look for.
    const words = error instanceof Error ? error.message : String(error)
    const told = /signature/i.test(words)
      ? 'The signature does not match the certificates of this connection. Add the current one.'
      : words
    throw new SamlFault(told, { cause: error })
  }
}

/** The library checks signatures alone: the other checks are ours, with our clock and the attempt's own request. */
async function open(
  { settings, audience, recipient }: SamlQuery,
  { certificates, requestId }: { certificates: readonly string[]; requestId: string },
): Promise<NodeSaml.SAML> {
  const { SAML, ValidateInResponseTo } = await load()
  return new SAML({
    entryPoint: settings.signInUrl,
    idpCert: [...certificates],
    issuer: audience,
    callbackUrl: recipient,
    generateUniqueId: () => requestId,
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    // Either is enough: a signed response signs the one assertion in it.
    wantAuthnResponseSigned: false,
    wantAssertionsSigned: false,
    validateInResponseTo: ValidateInResponseTo.never,
    audience: false,
    acceptedClockSkewMs: -1,
  })
}

/** Loaded at the first sign-in: most gateways have no organization with a provider. */
function load(): Promise<typeof NodeSaml> {
  return import('@node-saml/node-saml')
}
