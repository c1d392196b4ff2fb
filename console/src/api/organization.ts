import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'

export type Organization = Awaited<ReturnType<typeof readOrganization>>

/** Plan, seats, budgets and the spend against them. */
export function organizationQuery(orgId: string) {
  return queryOptions({ queryKey: ['organization', orgId], queryFn: () => readOrganization(orgId) })
}

async function readOrganization(orgId: string) {
  return (await dataOf(api.GET('/v1/orgs/{orgId}', { params: { path: { orgId } } }))).data
}

interface OrganizationTerms {
  /** How long answers stay cached. Null turns the cache off. */
  readonly cacheTtlSeconds: number | null
  readonly name: string
  /** Null for no budget. */
  readonly weeklyBudget: number | null
  readonly monthlyBudget: number | null
  readonly memberKeysMax: number
  readonly defaultRole: Organization['defaultRole']
  /** Null for no budget. */
  readonly defaultMonthlyBudget: number | null
}

export async function changeOrganization(orgId: string, body: Partial<OrganizationTerms>): Promise<Organization> {
  return (await dataOf(api.PATCH('/v1/orgs/{orgId}', { params: { path: { orgId } }, body }))).data
}

/** Creates an organization that the signed-in person administers. */
export async function createOrganization(name: string) {
  return (await dataOf(api.POST('/v1/orgs', { body: { name } }))).data
}
