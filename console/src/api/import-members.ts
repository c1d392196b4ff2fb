import { api, dataOf } from './client.ts'

export type ImportResult = Awaited<ReturnType<typeof importMembers>>
export type ImportedRow = ImportResult['rows'][number]

type ImportBody = ({ readonly csv: string } | { readonly rows: Record<string, unknown>[] }) & {
  readonly dryRun: boolean
  readonly createTeams: boolean
}

export async function importMembers(orgId: string, body: ImportBody) {
  return (await dataOf(api.POST('/v1/orgs/{orgId}/members/import', { params: { path: { orgId } }, body }))).data
}
