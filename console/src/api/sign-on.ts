import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'
import type { Exact } from './exact-json.ts'
import type { components } from './schema.d.ts'

export type SignOnDomain = Exact<components['schemas']['SignOnDomain']>
export type SignOnConnection = Exact<components['schemas']['SignOnConnection']>

const at = (orgId: string) => ({ params: { path: { orgId } } })
const domainAt = (orgId: string, domainId: string) => ({ params: { path: { orgId, domainId } } })
const connectionAt = (orgId: string, connectionId: string) => ({ params: { path: { orgId, connectionId } } })

/** The organization that signs in addresses of a domain, or null. */
export function signOnOfQuery(domain: string) {
  return queryOptions({
    queryKey: ['sign-on-of', domain],
    queryFn: async () => (await dataOf(api.GET('/api/sign-on', { params: { query: { domain } } }))).data,
    staleTime: 60_000,
  })
}

export function domainsQuery(orgId: string) {
  return queryOptions({
    queryKey: ['sign-on', orgId, 'domains'],
    queryFn: async () => (await dataOf(api.GET('/api/orgs/{orgId}/sign-on/domains', at(orgId)))).data,
  })
}

export async function addDomain(orgId: string, domain: string): Promise<SignOnDomain> {
  return (await dataOf(api.POST('/api/orgs/{orgId}/sign-on/domains', { ...at(orgId), body: { domain } }))).data
}

export async function verifyDomain(orgId: string, domainId: string): Promise<SignOnDomain> {
  return (await dataOf(api.POST('/api/orgs/{orgId}/sign-on/domains/{domainId}/verify', domainAt(orgId, domainId)))).data
}

export async function deleteDomain(orgId: string, domainId: string): Promise<void> {
  await api.DELETE('/api/orgs/{orgId}/sign-on/domains/{domainId}', domainAt(orgId, domainId))
}

/** The identity providers, and the addresses to enter there. */
export function connectionsQuery(orgId: string) {
  return queryOptions({
    queryKey: ['sign-on', orgId, 'connections'],
    queryFn: () => dataOf(api.GET('/api/orgs/{orgId}/sign-on/connections', at(orgId))),
  })
}

export interface ConnectionBody {
  readonly name?: string
  readonly issuer?: string
  readonly clientId?: string
  readonly clientSecret?: string
  readonly groupsClaim?: string
  readonly metadata?: string
  readonly metadataUrl?: string
  readonly signInUrl?: string
  readonly certificates?: string[]
  readonly emailAttribute?: string | null
  readonly subjectAttribute?: string | null
  readonly allowsUnsolicited?: boolean
  readonly enabled?: boolean
  readonly enforced?: boolean
}

export type NewConnection = Omit<ConnectionBody, 'enabled' | 'enforced'> & {
  readonly name: string
  readonly kind: 'oidc' | 'saml'
}

export async function createConnection(orgId: string, body: NewConnection): Promise<SignOnConnection> {
  return (await dataOf(api.POST('/api/orgs/{orgId}/sign-on/connections', { ...at(orgId), body }))).data
}

export async function changeConnection(orgId: string, id: string, body: ConnectionBody): Promise<SignOnConnection> {
  const options = { ...connectionAt(orgId, id), body }
  return (await dataOf(api.PATCH('/api/orgs/{orgId}/sign-on/connections/{connectionId}', options))).data
}

export async function deleteConnection(orgId: string, id: string): Promise<void> {
  await api.DELETE('/api/orgs/{orgId}/sign-on/connections/{connectionId}', connectionAt(orgId, id))
}

export type GroupMapping = Awaited<ReturnType<typeof readGroups>>[number]

export function groupsQuery(orgId: string) {
  return queryOptions({ queryKey: ['sign-on', orgId, 'groups'], queryFn: () => readGroups(orgId) })
}

async function readGroups(orgId: string) {
  return (await dataOf(api.GET('/api/orgs/{orgId}/sign-on/groups', at(orgId)))).data
}

export async function replaceGroups(orgId: string, groups: readonly GroupMapping[]) {
  const options = { ...at(orgId), body: { groups: [...groups] } }
  return (await dataOf(api.PUT('/api/orgs/{orgId}/sign-on/groups', options))).data
}
