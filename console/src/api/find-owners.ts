import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'

const shownMax = '20'

interface Person {
  readonly id: string
  readonly user: { readonly name: string; readonly email: string }
}

const memberChoice = ({ id, user }: Person) => ({ value: id, label: `${user.name} · ${user.email}` })
const teamChoice = ({ id, name }: { readonly id: string; readonly name: string }) => ({ value: id, label: name })

/** Finds members by name or email address. */
export function findMembers(orgId: string) {
  return {
    key: ['members', orgId],
    find: async (text: string) => {
      const query = { limit: shownMax, ...(text === '' ? {} : { q: text }) }
      const { data } = await dataOf(api.GET('/v1/orgs/{orgId}/members', { params: { path: { orgId }, query } }))
      return data.map(memberChoice)
    },
  }
}

/** Finds teams by name. */
export function findTeams(orgId: string) {
  return {
    key: ['teams', orgId],
    find: async (text: string) => {
      const query = { limit: shownMax, ...(text === '' ? {} : { q: text }) }
      const { data } = await dataOf(api.GET('/v1/orgs/{orgId}/teams', { params: { path: { orgId }, query } }))
      return data.map(teamChoice)
    },
  }
}

export function memberChoiceQuery(orgId: string, memberId: string) {
  return queryOptions({
    queryKey: ['choice', 'member', orgId, memberId],
    queryFn: async () => {
      const { data } = await dataOf(
        api.GET('/v1/orgs/{orgId}/members/{memberId}', { params: { path: { orgId, memberId } } }),
      )
      return memberChoice(data)
    },
  })
}

export function teamChoiceQuery(orgId: string, teamId: string) {
  return queryOptions({
    queryKey: ['choice', 'team', orgId, teamId],
    queryFn: async () => {
      const { data } = await dataOf(api.GET('/v1/orgs/{orgId}/teams/{teamId}', { params: { path: { orgId, teamId } } }))
      return teamChoice(data)
    },
  })
}
