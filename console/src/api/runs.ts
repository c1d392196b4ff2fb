import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'
import { cursorPages } from './cursor-pages.ts'

const pageSize = 50
const childrenMax = 100

/** The wallet whose runs are meant: the person's own without `organization`. */
interface WalletOf {
  readonly query: { readonly organization?: string }
}

interface RunChoice {
  /** The beginning of an id. */
  readonly q?: string
  readonly sort?: string
}

/** Begins the key of every query of runs. */
export const runsKey = 'runs'

/** A run that may still spend is read again after this time. */
const liveMs = 3_000

type ListQuery = WalletOf['query'] &
  RunChoice & { readonly limit: string; readonly cursor?: string; readonly parent?: string; readonly roots?: string }

function listRuns(query: ListQuery) {
  return dataOf(api.GET('/v1/runs', { params: { query } }))
}

export type Run = Awaited<ReturnType<typeof listRuns>>['data'][number]

/** The runs of the wallet, paginated. Without a search, child runs are left out: their parents show them. */
export function runsQuery({ query }: WalletOf, { q, sort }: RunChoice) {
  const choice = { ...(q === undefined ? { roots: 'true' } : { q }), ...(sort === undefined ? {} : { sort }) }
  return cursorPages([runsKey, query.organization ?? null, 'list', choice], (place) =>
    listRuns({ ...query, ...choice, limit: String(pageSize), ...place }),
  )
}

export function runQuery({ query }: WalletOf, runId: string) {
  return queryOptions({
    queryKey: [runsKey, query.organization ?? null, 'one', runId],
    queryFn: async () => (await dataOf(api.GET('/v1/runs/{runId}', { params: { path: { runId }, query } }))).data,
    refetchInterval: ({ state }) => (state.data?.status === 'stopped' ? false : liveMs),
  })
}

/** The newest child runs of a run, and whether there are more. */
export function childRunsQuery({ query }: WalletOf, parent: string, { isLive }: { readonly isLive: boolean }) {
  return queryOptions({
    queryKey: [runsKey, query.organization ?? null, 'children', parent],
    queryFn: () => listRuns({ ...query, parent, limit: String(childrenMax) }),
    refetchInterval: isLive ? liveMs : false,
  })
}

export function stopRun({ query }: WalletOf, runId: string, reason: string | null) {
  return dataOf(api.POST('/v1/runs/{runId}/stop', { params: { path: { runId }, query }, body: { reason } }))
}
