import type { ReactNode } from 'react'

/** A column: how a cell looks, and what it is in the CSV. */
export interface Column<Row> {
  readonly id: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** Left out: the column is not exported. */
  readonly csv?: (row: Row) => string
  readonly align?: 'left' | 'right'
  /** Pixels. The columns without one share what is left. */
  readonly width?: number
  /** Not shown until the person chooses it. */
  readonly isHidden?: boolean
}
