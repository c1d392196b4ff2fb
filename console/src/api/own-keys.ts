import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'

const at = (orgId: string) => ({ params: { path: { orgId } } })
const one = (orgId: string, ownKeyId: string) => ({ params: { path: { orgId, ownKeyId } } })

const listKeys = (orgId: string) => dataOf(api.GET('/api/orgs/{orgId}/own-keys', at(orgId)))
export type OwnKey = Awaited<ReturnType<typeof listKeys>>['data'][number]

/** The keys of an organization at providers, without secrets. */
export function ownKeysQuery(orgId: string) {
  return queryOptions({ queryKey: ['own-keys', orgId], queryFn: () => listKeys(orgId) })
}

/** One key. Its health follows requests within seconds, so it is read again when it is opened. */
export function ownKeyQuery(orgId: string, id: string) {
  return queryOptions({
    queryKey: ['own-keys', orgId, id],
    queryFn: async () => (await dataOf(api.GET('/api/orgs/{orgId}/own-keys/{ownKeyId}', one(orgId, id)))).data,
    retry: false,
  })
}

/** The providers that a key can name. */
export function ownKeyProvidersQuery(orgId: string) {
  return queryOptions({
    queryKey: ['own-key-providers', orgId],
    queryFn: async () => (await dataOf(api.GET('/api/orgs/{orgId}/own-key-providers', at(orgId)))).data,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export interface OwnKeyTerms {
  readonly name?: string
  readonly baseUrl?: string
  readonly protocol?: NonNullable<OwnKey['protocol']>
  readonly fallbackMode?: OwnKey['fallbackMode']
  readonly enabled?: boolean
}

/** Adds a key, and asks the provider for its models. */
export function createOwnKey(
  orgId: string,
  body: OwnKeyTerms & { readonly name: string; readonly provider?: string; readonly apiKey: string },
) {
  return dataOf(api.POST('/api/orgs/{orgId}/own-keys', { ...at(orgId), body }))
}

type ModelMappings = OwnKey['modelMappings']

export function changeOwnKey(
  orgId: string,
  id: string,
  body: OwnKeyTerms & {
    readonly modelMappings?: ModelMappings
    readonly modelToggles?: Record<string, boolean>
  },
) {
  return dataOf(api.PATCH('/api/orgs/{orgId}/own-keys/{ownKeyId}', { ...one(orgId, id), body }))
}

export async function deleteOwnKey(orgId: string, id: string): Promise<void> {
  await api.DELETE('/api/orgs/{orgId}/own-keys/{ownKeyId}', one(orgId, id))
}
