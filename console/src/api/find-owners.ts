import { api, dataOf } from './client.ts'

const shownMax = '20'

interface Person {
  readonly id: string
  readonly user: { readonly name: string; readonly email: string }
}

export const memberChoice = ({ id, user }: Person) => ({ value: id, label: `${user.name} · ${user.email}` })
export const teamChoice = ({ id, name }: { readonly id: string; readonly name: string }) => ({ value: id, label: name })

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
