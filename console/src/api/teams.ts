import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'

const pageSize = 50

export type Team = Awaited<ReturnType<typeof readTeams>>[number]

/** All teams by name. An organization has at most 1,000. */
export function teamsQuery(orgId: string) {
  return queryOptions({ queryKey: ['teams', orgId, 'all'], queryFn: () => readTeams(orgId), staleTime: 30_000 })
}

async function readTeams(orgId: string) {
  return (await dataOf(api.GET('/v1/orgs/{orgId}/teams', { params: { path: { orgId } } }))).data
}

/** Teams by name, paginated. */
export function teamPagesQuery(
  orgId: string,
  { q, sort }: { readonly q?: string | undefined; readonly sort?: string | undefined } = {},
) {
  return infiniteQueryOptions({
    queryKey: ['teams', orgId, 'list', q ?? '', sort ?? ''],
    queryFn: ({ pageParam }) => {
      const query = {
        limit: String(pageSize),
        ...(q === undefined || q === '' ? {} : { q }),
        ...(sort === undefined ? {} : { sort }),
        ...(pageParam === null ? {} : { cursor: pageParam }),
      }
      return dataOf(api.GET('/v1/orgs/{orgId}/teams', { params: { path: { orgId }, query } }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? null,
  })
}

export function teamQuery(orgId: string, teamId: string) {
  return queryOptions({
    queryKey: ['teams', orgId, 'one', teamId],
    queryFn: async () => {
      const params = { path: { orgId, teamId } }
      return (await dataOf(api.GET('/v1/orgs/{orgId}/teams/{teamId}', { params }))).data
    },
  })
}

export interface TeamTerms {
  readonly name: string
  /** Null for none. */
  readonly description: string | null
  readonly costCenterCode: string | null
  readonly monthlyBudget: number | null
}

/** What new members of a team get. Null for the organization's default. */
export interface TeamDefaults {
  readonly defaultRole: Team['defaultRole']
  readonly defaultMonthlyBudget: number | null
  readonly memberKeysMax: number | null
}

export function createTeam(orgId: string, body: TeamTerms) {
  return dataOf(api.POST('/v1/orgs/{orgId}/teams', { params: { path: { orgId } }, body }))
}

export function changeTeam(orgId: string, teamId: string, body: Partial<TeamTerms & TeamDefaults>) {
  return dataOf(api.PATCH('/v1/orgs/{orgId}/teams/{teamId}', { params: { path: { orgId, teamId } }, body }))
}

export function deleteTeam(orgId: string, teamId: string) {
  return api.DELETE('/v1/orgs/{orgId}/teams/{teamId}', { params: { path: { orgId, teamId } } })
}
