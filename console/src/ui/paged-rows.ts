import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'

type Pages<Row> = InfiniteData<{ readonly data: readonly Row[] }, unknown>
type PagedQuery<Row> = Pick<
  UseInfiniteQueryResult<Pages<Row>>,
  'data' | 'error' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage' | 'refetch'
>

/** The most rows that an export reads. A page can be empty, so the number of pages is limited too. */
export const exportMax = 5_000
const pagesMax = 500

/** The props of a `DataTable` whose rows come in pages from the API. */
export function usePagedRows<Row>(query: PagedQuery<Row>) {
  const rows = useMemo(() => rowsOf(query.data), [query.data])
  return {
    rows,
    error: query.error,
    onRetry: () => void query.refetch(),
    hasMore: query.hasNextPage,
    onMore: () => (query.isFetchingNextPage ? undefined : void query.fetchNextPage()),
    readAll: () => readPages(query),
  }
}

function rowsOf<Row>(data: Pages<Row> | undefined): readonly Row[] | undefined {
  return data?.pages.flatMap((page) => page.data)
}

/** Reads the pages that are not loaded yet, up to the limit of an export. */
export async function readPages<Row>(
  query: Pick<PagedQuery<Row>, 'data' | 'hasNextPage' | 'fetchNextPage'>,
): Promise<readonly Row[]> {
  let latest = query
  for (let page = 0; page < pagesMax && latest.hasNextPage; page += 1) {
    if ((rowsOf(latest.data) ?? []).length >= exportMax) break
    const next = await latest.fetchNextPage()
    if (next.error !== null) throw next.error
    latest = next
  }
  return (rowsOf(latest.data) ?? []).slice(0, exportMax)
}
