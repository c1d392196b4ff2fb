import type { ConnectionBody, NewConnection, SignOnConnection } from '../../api/sign-on.ts'

/** Where the settings of a SAML provider come from. */
export type SamlSource = 'url' | 'metadata' | 'fields'

export interface ConnectionFields {
  readonly kind: 'oidc' | 'saml'
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly groupsClaim: string
  readonly source: SamlSource
  readonly metadataUrl: string
  readonly metadata: string
  readonly signInUrl: string
  readonly certificates: string
  /** Empty to use the name ID. */
  readonly emailAttribute: string
  /** Empty to use the name ID. */
  readonly subjectAttribute: string
  readonly allowsUnsolicited: boolean
}

export function fieldsOf(connection: SignOnConnection | null): ConnectionFields {
  const saml = connection?.saml ?? null
  return {
    kind: connection?.kind ?? 'oidc',
    name: connection?.name ?? '',
    issuer: connection?.issuer ?? '',
    clientId: connection?.clientId ?? '',
    clientSecret: '',
    groupsClaim: connection?.groupsClaim ?? 'groups',
    source: connection === null ? 'url' : 'fields',
    metadataUrl: '',
    metadata: '',
    signInUrl: saml?.signInUrl ?? '',
    certificates: saml?.certificates.join('\n') ?? '',
    emailAttribute: saml?.emailAttribute ?? '',
    subjectAttribute: saml?.subjectAttribute ?? '',
    allowsUnsolicited: saml?.allowsUnsolicited ?? false,
  }
}

export function newConnection(fields: ConnectionFields): NewConnection {
  return { ...changedConnection(fields), name: fields.name, kind: fields.kind }
}

/** Without a new secret, the stored one stays. */
export function changedConnection(fields: ConnectionFields): ConnectionBody {
  const { kind, name, issuer, clientId, clientSecret, groupsClaim, allowsUnsolicited } = fields
  if (kind === 'oidc') {
    return { name, issuer, clientId, groupsClaim, ...(clientSecret === '' ? {} : { clientSecret }) }
  }
  const emailAttribute = orNameId(fields.emailAttribute)
  const subjectAttribute = orNameId(fields.subjectAttribute)
  return { name, groupsClaim, emailAttribute, subjectAttribute, allowsUnsolicited, ...providerOf(fields) }
}

function orNameId(attribute: string): string | null {
  return attribute.trim() === '' ? null : attribute
}

function providerOf({ source, metadataUrl, metadata, issuer, signInUrl, certificates }: ConnectionFields) {
  switch (source) {
    case 'url':
      return { metadataUrl }
    case 'metadata':
      return { metadata }
    case 'fields':
      return { issuer, signInUrl, certificates: [certificates] }
  }
}

const warnDays = 30

/** Days until a certificate ends if an administrator should act, or null. Zero if it has ended. */
export function daysToAct(endsAt: string, nowMs: number): number | null {
  const days = Math.max(0, Math.ceil((Date.parse(endsAt) - nowMs) / 86_400_000))
  return days <= warnDays ? days : null
}
