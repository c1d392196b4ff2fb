import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { exportMax, readPages } from './paged-rows.ts'

type Query = Parameters<typeof readPages<number>>[0]

/** A query whose next pages have so many rows each. */
function queryOf(sizes: readonly number[], error: Error | null = null, loaded = 1): Query {
  const pages = sizes.slice(0, loaded).map((size) => ({ data: Array.from({ length: size }, (_, index) => index) }))
  return {
    data: { pages, pageParams: [] },
    hasNextPage: loaded < sizes.length,
    fetchNextPage: () =>
      Promise.resolve({ ...queryOf(sizes, error, loaded + 1), error } as UseInfiniteQueryResult as never),
  }
}

it('reads every page, also after an empty one', async () => {
  expect(await readPages(queryOf([2, 0, 3]))).toEqual([0, 1, 0, 1, 2])
})

it('reads no more pages than the limit of an export needs, and returns no more rows', async () => {
  let calls = 0
  const endless = (loaded: number): Query => ({
    ...queryOf(
      Array.from({ length: loaded + 1 }, () => 3_000),
      null,
      loaded,
    ),
    fetchNextPage: () => {
      calls += 1
      return Promise.resolve({ ...endless(loaded + 1), error: null } as UseInfiniteQueryResult as never)
    },
  })
  expect(await readPages(endless(1))).toHaveLength(exportMax)
  expect(calls).toBe(1)
})

it('rejects if a page cannot be read', async () => {
  await expect(readPages(queryOf([2, 2], new Error('offline')))).rejects.toThrow('offline')
})
