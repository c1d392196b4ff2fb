import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'
import type { Exact } from './exact-json.ts'
import type { components } from './schema.d.ts'

export type ScimToken = Exact<components['schemas']['ScimToken']>

const at = (orgId: string) => ({ params: { path: { orgId } } })
const one = (orgId: string, tokenId: string) => ({ params: { path: { orgId, tokenId } } })

/** The tokens and the state of an organization's provisioning. */
export function provisioningQuery(orgId: string) {
  return queryOptions({
    queryKey: ['provisioning', orgId],
    queryFn: async () => (await dataOf(api.GET('/api/orgs/{orgId}/provisioning', at(orgId)))).data,
  })
}

export type Provisioning = Awaited<ReturnType<NonNullable<ReturnType<typeof provisioningQuery>['queryFn']>>>
export type ScimFailure = Provisioning['failures'][number]

/** Returns the secret, which is shown once. */
export async function createScimToken(
  orgId: string,
  body: { readonly name: string; readonly expiresInDays: number | null },
): Promise<string> {
  return (await dataOf(api.POST('/api/orgs/{orgId}/provisioning/tokens', { ...at(orgId), body }))).data.token
}

/** Returns the new secret. The old token keeps working during the overlap. */
export async function rotateScimToken(orgId: string, tokenId: string, overlapHours: number): Promise<string> {
  const options = { ...one(orgId, tokenId), body: { overlapHours } }
  return (await dataOf(api.POST('/api/orgs/{orgId}/provisioning/tokens/{tokenId}/rotate', options))).data.token
}

export async function revokeScimToken(orgId: string, tokenId: string): Promise<void> {
  await api.DELETE('/api/orgs/{orgId}/provisioning/tokens/{tokenId}', one(orgId, tokenId))
}

/** Whether a domain of the organization is verified. Its directory can add only people with an address in one. */
export function hasVerifiedDomainQuery(orgId: string) {
  return queryOptions({
    queryKey: ['sign-on', orgId, 'has-verified-domain'],
    queryFn: async () => {
      const { data } = await dataOf(api.GET('/api/orgs/{orgId}/sign-on/domains', at(orgId)))
      return data.some(({ verifiedAt }) => verifiedAt !== null)
    },
  })
}
