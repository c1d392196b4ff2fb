import type { Uuid } from '#lib/uuid.ts'

/**
 * Every organization has its own addresses, so that the answer of one organization's provider can't be taken for that
 * of another's. They are known before the provider is set up.
 */
export function redirectUriOf(publicOrigin: string, organizationId: Uuid): string {
  return `${publicOrigin}/api/sign-on/${organizationId}/callback`
}

export interface SamlAddresses {
  /** Our entity id for the organization, where its metadata is. */
  readonly audience: string
  /** The assertion consumer service. */
  readonly recipient: string
}

export function samlAddressesOf(publicOrigin: string, organizationId: Uuid): SamlAddresses {
  const recipient = `${publicOrigin}/api/sign-on/${organizationId}/saml`
  return { audience: `${recipient}/metadata`, recipient }
}
