import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { offlineError, readRefusal } from './api-error.ts'
import { api, dataOf } from './client.ts'
import { isOver } from './is-over.ts'
import { linkTo } from './link-to.ts'
import { viewHeaders } from './shown-view.ts'

interface WalletOf {
  readonly organizationId: string | null
  readonly query: { readonly organization?: string }
}

interface VideoFilter {
  readonly model?: string
  readonly status?: string
}

export type Video = Awaited<ReturnType<typeof listVideos>>['data'][number]

const pageSize = 50
const pollMs = 3_000

function listVideos(query: VideoFilter & WalletOf['query'] & { readonly limit: string; readonly before?: string }) {
  return dataOf(api.GET('/v1/videos', { params: { query } }))
}

/** Video jobs of a wallet, paginated, newest first. The query polls while a job is running. */
export function videosQuery({ organizationId, query }: WalletOf, filter: VideoFilter) {
  return infiniteQueryOptions({
    queryKey: ['videos', organizationId, filter],
    queryFn: ({ pageParam }) =>
      listVideos({
        ...query,
        ...filter,
        limit: String(pageSize),
        ...(pageParam === null ? {} : { before: pageParam }),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    // A video ordered a moment ago must be in the list.
    refetchOnMount: 'always',
    refetchInterval: ({ state }) =>
      (state.data?.pages ?? []).every(({ data }) => data.every(isOver)) ? false : pollMs,
  })
}

/** One video job, polled until it is finished. */
export function videoQuery({ organizationId, query }: WalletOf, jobId: string) {
  return queryOptions({
    queryKey: ['video', organizationId, jobId],
    queryFn: () => dataOf(api.GET('/v1/videos/{jobId}', { params: { path: { jobId }, query } })),
    refetchInterval: ({ state }) => (state.data === undefined || isOver(state.data) ? false : pollMs),
  })
}

/** The URL that a player loads a video from. */
export function filmLink({ query }: Pick<WalletOf, 'query'>, jobId: string, index: number): string {
  return linkTo('/v1/videos/{jobId}/content', { path: { jobId }, query: { ...query, index: String(index) } })
}

/**
 * Explains why a player could not load a video: the gateway's error for the same URL, or that the browser cannot play
 * it.
 */
export async function findFilmProblem(url: string): Promise<Error> {
  const answer = await fetch(url, { headers: { ...viewHeaders(), range: 'bytes=0-0' } }).catch(() => null)
  if (answer === null) return offlineError()
  if (answer.ok) return new Error("Your browser can't play this video. Download it instead.")
  return readRefusal(answer, await answer.json().catch(() => null))
}
