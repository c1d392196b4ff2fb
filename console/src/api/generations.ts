import { api, dataOf } from './client.ts'

export interface GenerationFilter {
  readonly organization?: string
  readonly model?: string
  readonly api_key_id?: string
  readonly member_id?: string
  readonly team_id?: string
  readonly provider?: string
  readonly app?: string
  readonly status?: string
  readonly from?: string
  readonly to?: string
}

export type GenerationPage = Awaited<ReturnType<typeof listGenerations>>
export type Generation = GenerationPage['data'][number]

/** Reads a page of finished requests, newest first. */
export function listGenerations(filter: GenerationFilter, page: { readonly limit: number; readonly before?: string }) {
  const query = { ...filter, ...page, limit: String(page.limit) }
  return dataOf(api.GET('/v1/generations', { params: { query } }))
}
