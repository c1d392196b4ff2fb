import { columnVisibilityFeature, tableFeatures, useTable } from '@tanstack/react-table'
import { type ReactNode, useMemo } from 'react'
import { downloadText, toCsv } from '../lib/csv.ts'
import { ErrorNote } from './error-note.tsx'
import { TableBody } from './table-body.tsx'
import { TableToolbar } from './table-toolbar.tsx'
import { useColumnChoice } from './column-choice.ts'

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

export interface DataTableProps<Row> {
  /** Names the table for screen readers, its column choice and its CSV file. */
  readonly name: string
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[] | undefined
  readonly rowId: (row: Row) => string
  readonly error?: unknown
  readonly onRetry?: () => void
  /** Server paging: asked for the next page when the last rows come into sight. */
  readonly hasMore?: boolean
  readonly onMore?: () => void
  /** A click on a row, or Enter on it. */
  readonly onOpen?: (row: Row) => void
  /** Inputs whose state is in the URL, left above the table. */
  readonly filters?: ReactNode
  /** What the rows come to, beside the buttons. */
  readonly summary?: ReactNode
  /** A last row by column id, such as a sum. */
  readonly footer?: Readonly<Record<string, ReactNode>> | undefined
  readonly empty: ReactNode
}

const features = tableFeatures({ columnVisibilityFeature })

/** Virtual rows, server paging, chosen columns, and a CSV of what is seen. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { name, columns, rows } = props
  const [columnVisibility, setColumnVisibility] = useColumnChoice(name, columns)
  const definitions = useMemo(() => columns.map(({ id, header }) => ({ id, header })), [columns])
  const table = useTable({
    features,
    columns: definitions,
    data: noRows,
    state: { columnVisibility },
    onColumnVisibilityChange: setColumnVisibility,
  })
  const shown = table
    .getVisibleLeafColumns()
    .map(({ id }) => columns.find((column) => column.id === id))
    .filter((column) => column !== undefined)
  const exportCsv = () => {
    const exported = shown.filter((column) => column.csv !== undefined)
    const lines = (rows ?? []).map((row) => exported.map((column) => column.csv?.(row) ?? ''))
    downloadText(`${name}.csv`, toCsv([exported.map(({ header }) => header), ...lines]))
  }
  return (
    <div>
      <TableToolbar
        filters={props.filters}
        summary={props.summary}
        choices={table.getAllLeafColumns().map((column) => ({
          id: column.id,
          label: columns.find(({ id }) => id === column.id)?.header ?? column.id,
          isShown: column.getIsVisible(),
          toggle: () => column.toggleVisibility(),
        }))}
        onExport={rows === undefined || rows.length === 0 ? undefined : exportCsv}
      />
      {props.error === undefined || props.error === null ? (
        <TableBody {...props} columns={shown} />
      ) : (
        <ErrorNote error={props.error} {...(props.onRetry === undefined ? {} : { onRetry: props.onRetry })} />
      )}
    </div>
  )
}

// The library decides which columns show; rows are drawn by the virtual body.
const noRows: readonly Record<string, never>[] = []
