import type { SortBy } from './preferences.ts'

interface ShortName {
  readonly id: string
  readonly sort: SortBy | null
  readonly online: boolean
}

/** Removes the suffixes that say how to route a name, not which model it is. Several may be combined. */
export function splitShortcuts(name: string): ShortName {
  let id = name
  let sort: SortBy | null = null
  let online = false
  for (;;) {
    if (id.endsWith(':floor')) sort ??= 'price'
    else if (id.endsWith(':nitro')) sort ??= 'throughput'
    else if (id.endsWith(':online')) online = true
    else return { id, sort, online }
    id = id.slice(0, id.lastIndexOf(':'))
  }
}
