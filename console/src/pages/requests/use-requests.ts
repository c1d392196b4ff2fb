import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo } from 'react'
import { type Generation, type GenerationFilter, listGenerations } from '../../api/generations.ts'
import { readPages } from '../../ui/paged-rows.ts'

const pageSize = 50
const liveMs = 3_000

type Page = Awaited<ReturnType<typeof listGenerations>>
type Pages = InfiniteData<Page, string | undefined>

/** The paginated list. In live mode it polls its first page and puts new rows on top. */
export function useRequests(filter: GenerationFilter, isLive: boolean) {
  const client = useQueryClient()
  const queryKey = useMemo(() => ['generations', filter] as const, [filter])
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) =>
      listGenerations(filter, { limit: pageSize, ...(pageParam === undefined ? {} : { before: pageParam }) }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })
  const live = useQuery({
    queryKey: ['generations-live', filter],
    queryFn: () => listGenerations(filter, { limit: pageSize }),
    enabled: isLive && list.data !== undefined,
    refetchInterval: liveMs,
    gcTime: 0,
  })
  useEffect(() => {
    const newest = live.data
    if (newest === undefined) return
    const known = client.getQueryData<Pages>(queryKey)
    if (known === undefined) return
    const next = withNewest(known, newest)
    if (next === null) void client.resetQueries({ queryKey })
    else if (next !== known) client.setQueryData<Pages>(queryKey, next)
  }, [client, queryKey, live.data])
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const pageCount = list.data?.pages.length ?? 0
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data), [list.data])
  // An empty page may still have a cursor. The page count is a dependency, so that the table requests the next page.
  const more = useCallback(() => {
    if (pageCount > 0 && !isFetchingNextPage) void fetchNextPage()
  }, [fetchNextPage, isFetchingNextPage, pageCount])
  const isLooking = rows?.length === 0 && hasNextPage
  useEffect(() => {
    if (isLooking) more()
  }, [isLooking, more])
  return {
    rows: isLooking ? undefined : rows,
    error: list.error ?? live.error,
    hasMore: hasNextPage,
    onMore: more,
    onRetry: () => void list.refetch(),
    readAll: () => readPages(list),
  }
}

/**
 * Prepends the new rows to the known pages. Returns null if the newest page does not overlap them, because rows would
 * be missing.
 */
function withNewest(known: Pages, newest: Page): Pages | null {
  const [first, ...others] = known.pages
  if (first === undefined) return null
  const ids = new Set(known.pages.flatMap(({ data }) => data.map(({ id }) => id)))
  const added = newest.data.filter(({ id }: Generation) => !ids.has(id))
  if (added.length === 0) return known
  if (added.length === newest.data.length && newest.next_cursor !== null) return null
  return { ...known, pages: [{ ...first, data: [...added, ...first.data] }, ...others] }
}
