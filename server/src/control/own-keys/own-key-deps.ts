import { accessRowOf } from '#domain/access/access-table.ts'
import { type Client, userOf } from '#domain/access/client.ts'
import { judgeRole } from '#domain/access/judge-access.ts'
import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import type { SealingKey } from '#lib/seal.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Memberships } from '#ports/organizations.ts'
import type { Egress } from '#ports/outbound.ts'
import type { ListProviderModels, OpenOwnKeys, OwnKeyStore, OwnKeyTerms, StoredOwnKey } from '#ports/own-keys.ts'
import { foreignScope } from './foreign-scope.ts'

/** A provider that the gateway knows, as far as an own key for it needs. */
export interface OwnKeyProvider {
  readonly slug: string
  readonly name: string
  /** Null if each customer has an address of its own. */
  readonly baseUrl: string | null
  /** Whether it tells which models a key can call. If not, those that it offers in the catalogue are mapped. */
  readonly listsModels: boolean
  /** Whether a key can be the JSON file of a Google service account. */
  readonly takesServiceAccounts: boolean
}

/** Dependencies of the own key use cases. */
export interface OwnKeyDeps {
  readonly store: OwnKeyStore
  readonly memberships: Memberships
  readonly egress: Egress
  readonly listModels: ListProviderModels
  readonly catalogue: () => Catalogue
  readonly providers: ReadonlyMap<string, OwnKeyProvider>
  readonly sealingKey: SealingKey
  /** Applies the change in this process at once; others follow within a second. */
  readonly changed: () => Promise<void>
}

/**
 * The organization whose own keys a management key manages: the organization that it is bound to, as long as the person
 * for whom it acts is an administrator there. A personal key is bound to none, even if that person administers one.
 */
export async function openOwnKeys(memberships: Memberships, client: Client): Promise<Uuid> {
  const userId = userOf(client)
  const organizationId = client.kind === 'key' ? client.principal.organizationId : null
  if (organizationId === null) {
    throw new GatewayError('forbidden', {
      message: 'This needs a management key that belongs to an organization. Create one in the organization.',
    })
  }
  const membership = userId === null ? null : await memberships.find({ organizationId, userId })
  const verdict = membership === null ? null : judgeRole(accessRowOf('organization.change'), client, membership)
  if (verdict?.allowed === true) return organizationId
  throw new GatewayError('forbidden', {
    message: 'The owner of this management key is no longer an org_admin of its organization.',
    inside: verdict?.inside ?? 'no member',
  })
}

/** Describes an own key for the audit log, without its secret. */
export function describeOwnKey(key: OwnKeyTerms & { readonly keyMask: string }): JsonObject {
  return {
    name: key.name,
    baseUrl: key.baseUrl,
    keyMask: key.keyMask,
    ...(key.way.kind === 'provider' ? { provider: key.way.provider } : { protocol: key.way.protocol }),
    fallbackMode: key.fallbackMode,
    scopedApiKeyIds: [...key.scopedKeyIds],
    modelMappings: key.mappings.map((mapping) => ({ ...mapping })),
    enabled: key.enabled,
  }
}

/** Finds an own key of the organization. A key of another organization is reported as not found. */
export function readOwnKey(keys: readonly StoredOwnKey[], id: Uuid): StoredOwnKey {
  const key = keys.find((each) => each.id === id)
  if (key === undefined) throw new GatewayError('notFound', { message: 'BYOK key not found.' })
  return key
}

/** Rejects a URL that is not on the public internet, by its text or by the resolved address. */
export async function assertBaseUrl(egress: Egress, baseUrl: string, account: string): Promise<void> {
  const verdict = await egress.judge(baseUrl, account)
  if (!verdict.allowed) throw malformed(`baseUrl ${verdict.message}`)
  if (verdict.url.search !== '' || verdict.url.hash !== '' || /[?#]/.test(baseUrl)) {
    throw malformed('baseUrl must not contain a query or fragment.')
  }
}

/** Rejects a scope with keys of other organizations. */
export async function assertScopes(keys: OpenOwnKeys, ids: readonly Uuid[]): Promise<void> {
  if (ids.length === 0) return
  const found = new Set(await keys.findOrganizationKeys(ids))
  if (!ids.every((id) => found.has(id))) throw foreignScope()
}
