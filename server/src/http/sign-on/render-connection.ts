import type { Connection, ConnectionSettings } from '#domain/sign-on/connection.ts'
import { certificateEndsAtMs } from '#domain/sign-on/saml/certificate.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'

/** An identity provider as administrators of its organization see it. */
export function renderConnection(connection: Connection): JsonObject {
  const { id, organizationId, name, settings, enabled, enforced, lastTest, testedAtMs, createdAtMs } = connection
  return {
    id,
    kind: settings.kind,
    name,
    ...renderSettings(settings),
    enabled,
    enforced,
    start: startPath({ organizationId, connectionId: id }),
    test: lastTest === null ? null : { at: isoTime(lastTest.atMs), error: lastTest.error, claims: lastTest.claims },
    testedAt: testedAtMs === null ? null : isoTime(testedAtMs),
    createdAt: isoTime(createdAtMs),
  }
}

/** The address that begins a sign-in. */
export function startPath({ organizationId, connectionId }: { organizationId: Uuid; connectionId: Uuid }): string {
  return `/api/sign-on/${organizationId}/start?connection=${connectionId}`
}

function renderSettings(settings: ConnectionSettings): JsonObject {
  switch (settings.kind) {
    case 'oidc': {
      const { issuer, clientId, groupsClaim } = settings
      return { issuer, clientId, groupsClaim, saml: null }
    }
    case 'saml': {
      const { issuer, signInUrl, certificates, emailAttribute, subjectAttribute, groupsAttribute, allowsUnsolicited } =
        settings
      const certificateExpiresAt = isoTime(Math.min(...certificates.map(certificateEndsAtMs)))
      const saml = {
        signInUrl,
        certificates: [...certificates],
        certificateExpiresAt,
        emailAttribute,
        subjectAttribute,
        allowsUnsolicited,
      }
      return { issuer, clientId: null, groupsClaim: groupsAttribute, saml }
    }
  }
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
