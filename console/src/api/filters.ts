import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'
import type { Exact } from './exact-json.ts'
import type { components } from './schema.d.ts'

export type FilterRule = Exact<components['schemas']['FilterRule']>
export type FilterAction = FilterRule['action']
export type FilterMatcher = FilterRule['matcher']

/** What a person decides about a filter. */
export interface FilterBody {
  readonly name: string
  readonly enabled: boolean
  readonly action: FilterAction
  readonly matcher: FilterMatcher
}

const at = (orgId: string) => ({ params: { path: { orgId } } })

/** The content filters of an organization in their order, and the built-in templates. */
export function filtersQuery(orgId: string) {
  return queryOptions({
    queryKey: ['filters', orgId],
    queryFn: () => dataOf(api.GET('/api/orgs/{orgId}/content-filters', at(orgId))),
  })
}

export type FilterTemplate = Awaited<
  ReturnType<NonNullable<ReturnType<typeof filtersQuery>['queryFn']>>
>['templates'][number]

export function createFilter(orgId: string, body: FilterBody) {
  return dataOf(api.POST('/api/orgs/{orgId}/content-filters', { ...at(orgId), body }))
}

export function changeFilter(orgId: string, ruleId: string, body: Partial<FilterBody>) {
  const params = { path: { orgId, ruleId } }
  return dataOf(api.PATCH('/api/orgs/{orgId}/content-filters/{ruleId}', { params, body }))
}

export async function deleteFilter(orgId: string, ruleId: string): Promise<void> {
  await api.DELETE('/api/orgs/{orgId}/content-filters/{ruleId}', { params: { path: { orgId, ruleId } } })
}

interface FilterTrialBody {
  readonly text: string
  /** A filter that is not saved. Without it, all enabled filters are tried. */
  readonly rule?: Pick<FilterBody, 'action' | 'matcher'>
}

/** What the filters would do to a request with this text. */
export async function tryFilters(orgId: string, body: FilterTrialBody) {
  return (await dataOf(api.POST('/api/orgs/{orgId}/content-filters/test', { ...at(orgId), body }))).data
}

export type FilterTrial = Awaited<ReturnType<typeof tryFilters>>
