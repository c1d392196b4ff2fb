import { api, dataOf } from './client.ts'

export interface GenerationFilter {
  readonly organization?: string
  readonly model?: string
  readonly api_key_id?: string
  readonly member_id?: string
  readonly team_id?: string
  readonly provider?: string
  readonly app?: string
  readonly customer?: string
  readonly run?: string
  readonly tag?: string
  readonly status?: string
  readonly id?: string
  readonly from?: string
  readonly to?: string
}

type Entry = Awaited<ReturnType<typeof readEntries>>['data'][number]
type RefusedEntry = Extract<Entry, { refusal: unknown }>
type FinishedEntry = Exclude<Entry, RefusedEntry>

/** Why a request was refused. */
export type RefusalReason = RefusedEntry['refusal']

/** A request in the list. A refused one has no provider, no usage and no cost. */
export interface Generation extends Omit<FinishedEntry, 'model'> {
  readonly model: string | null
  /** Null for a finished request. */
  readonly refusal: RefusalReason | null
}

export type GenerationPage = Awaited<ReturnType<typeof listGenerations>>

/** Reads a page of requests, newest first: finished ones, unless the filter names another status. */
export async function listGenerations(
  filter: GenerationFilter,
  page: { readonly limit: number; readonly before?: string },
) {
  const { data, next_cursor } = await readEntries({ ...filter, ...page, limit: String(page.limit) })
  return { data: data.map(requestOf), next_cursor }
}

function readEntries(query: GenerationFilter & { readonly limit: string; readonly before?: string }) {
  return dataOf(api.GET('/v1/generations', { params: { query } }))
}

function requestOf(entry: Entry): Generation {
  return 'refusal' in entry ? { ...unserved, ...entry } : { ...entry, refusal: null }
}

/** What a finished request has and a refused one does not. */
const unserved = {
  provider: null,
  app_name: null,
  finish_reason: null,
  status: null,
  streamed: false,
  cancelled: false,
  is_byok: false,
  is_failover: false,
  attempt_count: 0,
  duration_ms: 0,
  first_token_ms: null,
  usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, cost: 0 },
  total_cost: 0,
  cache_discount: 0,
  refund_reason: null,
} as const satisfies Omit<FinishedEntry, keyof RefusedEntry>
