import { infiniteQueryOptions } from '@tanstack/react-query'

/** A list that is read page by page, with the cursor of each next page. The first page has none. */
export function cursorPages<Page extends { readonly next_cursor?: string | null | undefined }>(
  queryKey: readonly unknown[],
  read: (place: { readonly cursor?: string }) => Promise<Page>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) => read(pageParam === null ? {} : { cursor: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? null,
  })
}
