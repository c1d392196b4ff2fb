import type { ReactNode } from 'react'

/** A table column: how it renders a cell, sorts, and exports to CSV. */
export interface Column<Row> {
  readonly id: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** A column without `csv` is not exported. */
  readonly csv?: (row: Row) => string
  /**
   * The header becomes a button that sorts: by this sort name of the API, or by comparing rows. Compare only in lists
   * that are loaded as a whole.
   */
  readonly sort?: string | ((one: Row, other: Row) => number)
  /** Rows without a value here, which come last in either order. */
  readonly hasNone?: (row: Row) => boolean
  readonly align?: 'left' | 'right'
  /** Width in pixels. Columns without a width share the rest. */
  readonly width?: number
  /** The title of a row's card on phones, or one of its main figures. See `arrange-card.ts` for the defaults. */
  readonly onPhone?: 'title' | 'figure'
  /** Hidden by default. */
  readonly isHidden?: boolean
}
