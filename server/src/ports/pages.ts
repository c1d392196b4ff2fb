import type { Uuid } from '#lib/uuid.ts'

/** The requested part of a list. */
export interface PageRequest<Sort extends string> {
  readonly sort: Sort
  readonly descending: boolean
  /** Text that entries must contain, or null. */
  readonly search: string | null
  /** The last entry of the previous page, or null for the start of the list. */
  readonly after: PageCursor | null
  readonly limit: number
}

/** The position of an entry in the sorted list. The entry may no longer exist. */
export interface PageCursor {
  readonly value: string
  readonly id: Uuid
}

export interface Page<Entry> {
  readonly entries: readonly Entry[]
  /** The start of the next page, or null if there is none. */
  readonly next: PageCursor | null
}

export type KeySort = 'created' | 'name'
export type InvitationSort = 'created'
export type MemberSort = 'joined'
export type TeamSort = 'created' | 'name'
