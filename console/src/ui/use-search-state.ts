import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { Search } from './filter-field.ts'

/**
 * The search parameters of the page, whichever it is, and a way to change some of them. Undefined removes one. The back
 * button leaves the list rather than undo each filter.
 */
export function useSearchState(): readonly [Search, (change: Search) => void] {
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const change = useCallback(
    // The router knows the parameters of each route, but not of whichever page this table is on.
    (next: Search) =>
      void navigate({ to: '.', search: (old: object) => ({ ...old, ...next }), replace: true } as never),
    [navigate],
  )
  return [search, change]
}
