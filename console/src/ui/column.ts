import type { ReactNode } from 'react'

/** A table column: how it renders a cell and exports it to CSV. */
export interface Column<Row> {
  readonly id: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** A column without `csv` is not exported. */
  readonly csv?: (row: Row) => string
  readonly align?: 'left' | 'right'
  /** Width in pixels. Columns without a width share the rest. */
  readonly width?: number
  /** Width on phones, where columns that have it come first. 356 pixels are seen without scrolling. */
  readonly phoneWidth?: number
  /** Hidden by default. */
  readonly isHidden?: boolean
}
