import type { Uuid } from '#lib/uuid.ts'

/** Which part of a list is asked for. */
export interface PageRequest<Sort extends string> {
  readonly sort: Sort
  readonly descending: boolean
  /** What entries must contain; null: nothing. */
  readonly search: string | null
  /** The entry that the page before ended with; null: the list's beginning. */
  readonly after: PageCursor | null
  readonly limit: number
}

/** An entry by its value in the order of the list. It need not exist any more. */
export interface PageCursor {
  readonly value: string
  readonly id: Uuid
}

export interface Page<Entry> {
  readonly entries: readonly Entry[]
  /** Where the next page begins; null: there is none. */
  readonly next: PageCursor | null
}

export type KeySort = 'created' | 'name'
export type MemberSort = 'joined'
export type TeamSort = 'created' | 'name'
