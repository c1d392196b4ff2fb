import { columnVisibilityFeature, tableFeatures, useTable } from '@tanstack/react-table'
import { type ReactNode, useMemo } from 'react'
import { downloadText, toCsv } from '../lib/csv.ts'
import { ErrorNote } from './error-note.tsx'
import { TableBody, type TableBodyProps } from './table-body.tsx'
import { TableToolbar } from './table-toolbar.tsx'
import { useColumnChoice } from './column-choice.ts'

interface DataTableProps<Row> extends TableBodyProps<Row> {
  /** Labels the table for screen readers, its column choice and its CSV file. */
  readonly name: string
  readonly error?: unknown
  readonly onRetry?: () => void
  /** Inputs above the table, at the left. Their state is in the URL. */
  readonly filters?: ReactNode
  /** The sum of the rows, beside the buttons. */
  readonly summary?: ReactNode
}

const features = tableFeatures({ columnVisibilityFeature })

/** A table with virtual rows, server-side paging, column choice and CSV export. */
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

// The library selects the visible columns; the virtual body renders the rows.
const noRows: readonly Record<string, never>[] = []
