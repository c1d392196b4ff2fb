import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'
import type { Exact } from './exact-json.ts'
import type { components } from './schema.d.ts'

export type InstitutionKey = Exact<components['schemas']['InstitutionKey']>
/** Amounts are sent digit by digit, so a body has plain numbers. */
export type InstitutionTerms = Partial<components['schemas']['InstitutionTerms']>

const at = (orgId: string) => ({ params: { path: { orgId } } })
const one = (orgId: string, institutionKeyId: string) => ({ params: { path: { orgId, institutionKeyId } } })

/** The institution keys of an organization, without secrets. */
export function institutionKeysQuery(orgId: string) {
  return queryOptions({
    queryKey: ['institution-keys', orgId],
    queryFn: () => dataOf(api.GET('/api/orgs/{orgId}/institution-keys', at(orgId))),
  })
}

export async function createInstitutionKey(
  orgId: string,
  body: { readonly name: string; readonly eduConfig: InstitutionTerms },
) {
  return (await dataOf(api.POST('/api/orgs/{orgId}/institution-keys', { ...at(orgId), body }))).data
}

interface InstitutionKeyChange {
  readonly name?: string
  readonly enabled?: boolean
  readonly eduConfig?: InstitutionTerms
}

export function changeInstitutionKey(orgId: string, keyId: string, body: InstitutionKeyChange) {
  const options = { ...one(orgId, keyId), body }
  return dataOf(api.PATCH('/api/orgs/{orgId}/institution-keys/{institutionKeyId}', options))
}

export async function deleteInstitutionKey(orgId: string, keyId: string): Promise<void> {
  await api.DELETE('/api/orgs/{orgId}/institution-keys/{institutionKeyId}', one(orgId, keyId))
}

const pageSize = 50

export interface SessionFilter {
  readonly email?: string
  readonly status?: 'all'
}

/** The sessions of an institution key, paginated, newest first. */
export function institutionSessionsQuery(orgId: string, keyId: string, filter: SessionFilter) {
  return infiniteQueryOptions({
    queryKey: ['institution-keys', orgId, 'sessions', keyId, filter],
    queryFn: ({ pageParam }) => {
      const query = { ...filter, limit: String(pageSize), offset: String(pageParam) }
      const params = { path: { orgId, institutionKeyId: keyId }, query }
      return dataOf(api.GET('/api/orgs/{orgId}/institution-keys/{institutionKeyId}/sessions', { params }))
    },
    initialPageParam: 0,
    getNextPageParam: ({ total_count: total }, pages) => {
      const seen = pages.reduce((sum, { data }) => sum + data.length, 0)
      return seen < Number(total) ? seen : null
    },
  })
}

export type InstitutionSession = Awaited<
  ReturnType<NonNullable<ReturnType<typeof institutionSessionsQuery>['queryFn']>>
>['data'][number]

export async function revokeSession(orgId: string, keyId: string, sessionId: string): Promise<void> {
  const params = { path: { orgId, institutionKeyId: keyId, sessionId } }
  await api.DELETE('/api/orgs/{orgId}/institution-keys/{institutionKeyId}/sessions/{sessionId}', { params })
}

/** Revokes all sessions of a person and returns how many there were. */
export async function revokeSessionsOf(orgId: string, keyId: string, email: string): Promise<number> {
  const params = { path: { orgId, institutionKeyId: keyId }, query: { email } }
  const deletion = api.DELETE('/api/orgs/{orgId}/institution-keys/{institutionKeyId}/sessions', { params })
  return Number((await dataOf(deletion)).revoked)
}
