import type { ConnectionSettings, SamlSettings } from '#domain/sign-on/connection.ts'
import { certificateEndsAtMs, parseCertificates } from '#domain/sign-on/saml/certificate.ts'
import { metadataCharactersMax, parseMetadata, type ProviderMetadata } from '#domain/sign-on/saml/parse-metadata.ts'
import { SamlFault } from '#domain/sign-on/saml/saml-fault.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import { XmlFault } from '#lib/xml/parse-xml.ts'
import { flagOf, textOf } from './parse-connection.ts'

const certificatesMax = 5

/**
 * The settings of a SAML provider: the given fields over the given metadata over those that are stored. Expired
 * certificates verify nothing: metadata may still list them, fields may not.
 */
export function parseSaml(
  body: JsonObject,
  { before, metadata, nowMs }: { before: SamlSettings | null; metadata: string | undefined; nowMs: number },
): ConnectionSettings {
  const described = metadata === undefined ? null : explained('metadata', () => parseMetadata(metadata))
  const issuer = textOf(body, 'issuer') ?? described?.issuer ?? before?.issuer
  const signInUrl = textOf(body, 'signInUrl') ?? described?.signInUrl ?? before?.signInUrl
  const certificates = certificatesIn(body, described, nowMs) ?? before?.certificates
  if (issuer === undefined) throw malformed('issuer or metadata is required for SAML.')
  if (signInUrl === undefined) throw malformed('signInUrl or metadata is required for SAML.')
  if (certificates === undefined) throw malformed('certificates or metadata is required for SAML.')
  return {
    kind: 'saml',
    issuer,
    signInUrl,
    certificates,
    emailAttribute: attributeIn(body, 'emailAttribute', before),
    subjectAttribute: attributeIn(body, 'subjectAttribute', before),
    groupsAttribute: textOf(body, 'groupsClaim') ?? before?.groupsAttribute ?? 'groups',
    allowsUnsolicited: flagOf(body, 'allowsUnsolicited') ?? before?.allowsUnsolicited ?? false,
  }
}

export function metadataIn(body: JsonObject): string | undefined {
  const { metadata } = body
  if (metadata === undefined) return undefined
  if (typeof metadata !== 'string' || metadata.length > metadataCharactersMax) {
    throw malformed(`metadata must be a string of at most ${metadataCharactersMax} characters.`)
  }
  return metadata
}

function certificatesIn(
  body: JsonObject,
  described: ProviderMetadata | null,
  nowMs: number,
): readonly string[] | undefined {
  const { certificates } = body
  if (certificates === undefined) return described === null ? undefined : currentOf(described.certificates, nowMs)
  const isList = Array.isArray(certificates) && certificates.every((each) => typeof each === 'string')
  if (!isList || certificates.length === 0) throw malformed('certificates must be an array of strings.')
  const parsed = explained('certificates', () => certificates.flatMap(parseCertificates))
  if (parsed.length > certificatesMax) throw malformed(`certificates may have at most ${certificatesMax} certificates.`)
  if (parsed.some((pem) => certificateEndsAtMs(pem) <= nowMs)) throw malformed('A certificate has expired.')
  return [...new Set(parsed)]
}

function currentOf(certificates: readonly string[], nowMs: number): readonly string[] {
  const current = certificates.filter((pem) => certificateEndsAtMs(pem) > nowMs)
  if (current.length === 0) throw malformed('The certificates have expired.')
  return current.slice(0, certificatesMax)
}

/** Null, and nothing at first, means the name id. */
function attributeIn(
  body: JsonObject,
  name: 'emailAttribute' | 'subjectAttribute',
  before: SamlSettings | null,
): string | null {
  return body[name] === null ? null : (textOf(body, name) ?? before?.[name] ?? null)
}

function explained<Result>(field: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (error instanceof SamlFault || error instanceof XmlFault) throw malformed(`${field}: ${error.message}`)
    throw error
  }
}
