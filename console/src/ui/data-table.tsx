import { columnVisibilityFeature, tableFeatures, useTable } from '@tanstack/react-table'
import { type ReactNode, useMemo } from 'react'
import { Button } from './button.tsx'
import type { Column } from './column.ts'
import { useColumnChoice } from './column-choice.ts'
import { denseRows } from './dense-rows.ts'
import { EmptyState } from './empty-state.tsx'
import { ErrorNote } from './error-note.tsx'
import { FilterBar, withoutFilters } from './filter-bar.tsx'
import { type FilterField, type Search, setFilters } from './filter-field.ts'
import { SearchBox } from './search-box.tsx'
import { TableCards } from './table-cards.tsx'
import { TableGrid } from './table-grid.tsx'
import type { TableRowsProps } from './table-rows.ts'
import { nextSort, sortNameOf, sortOrderOf, sortRows } from './table-sort.ts'
import { TableToolbar } from './table-toolbar.tsx'
import { useExport } from './use-export.ts'
import { useSearchState } from './use-search-state.ts'
import { useShowsCards } from './use-shows-cards.ts'

interface DataTableProps<Row> extends TableRowsProps<Row> {
  /** Labels the table for its column choice, its views and its CSV file. */
  readonly name: string
  readonly error?: unknown
  readonly onRetry?: () => void
  /** Adds a search box, whose text is the search parameter `q`. */
  readonly searchBox?: { readonly label: string; readonly hint?: string }
  /** Adds filter chips, whose values are search parameters. */
  readonly fields?: readonly FilterField[]
  /** Further inputs above the table. Their state is in the URL. */
  readonly filters?: ReactNode
  /** Search parameters besides `fields` that leave out rows. "Clear filters" removes them too. */
  readonly narrowedBy?: readonly string[]
  /** The order of a URL without `sort`, such as `-created`. */
  readonly usualSort?: string
  /** Reads the rows that are not loaded yet, for the CSV file. */
  readonly readAll?: () => Promise<readonly Row[]>
  /** The sum of the rows, beside the buttons. */
  readonly summary?: ReactNode
  /** What is said of a list without rows and filters. */
  readonly empty: ReactNode
  /** The rows in the sentence "No matching …". */
  readonly rowsName?: string
}

const features = tableFeatures({ columnVisibilityFeature })

/** A list: virtual rows, server-side paging, filters, sorting, saved views, column choice, cards on phones, and CSV. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { name, columns, fields = [], usualSort } = props
  const [search, change] = useSearchState()
  const isCards = useShowsCards()
  const isDense = denseRows.useFlag()
  const { shown, choices } = useColumns(name, columns)
  const sort = typeof search['sort'] === 'string' ? search['sort'] : usualSort
  const rows = useMemo(
    () => (props.rows === undefined ? undefined : sortRows(props.rows, columns, sort)),
    [props.rows, columns, sort],
  )
  const exporting = useExport({ ...props, columns: shown, rows, sort: (all) => sortRows(all, columns, sort) })
  const sortBy = (column: Column<Row>) => {
    const next = nextSort(column, sort)
    change({ sort: next === usualSort ? undefined : next })
  }
  const sortable = columns.filter((column) => column.sort !== undefined)
  const hasFilters = fields.length > 0 || props.filters !== undefined || props.searchBox !== undefined
  const tableProps = { ...props, columns: shown, rows }
  return (
    <div>
      <TableToolbar
        filters={
          <>
            {props.searchBox === undefined ? null : <SearchBox {...props.searchBox} />}
            {fields.length === 0 ? props.filters : <FilterBar fields={fields}>{props.filters}</FilterBar>}
          </>
        }
        summary={props.summary}
        columns={choices}
        sorts={sortable.map((column) => ({
          label: sortLabel(column, sort),
          isOn: sortOrderOf(sortNameOf(column) ?? '', sort) !== 'none',
          toggle: () => sortBy(column),
        }))}
        viewsOf={hasFilters || sortable.length > 0 ? name : undefined}
        isCards={isCards}
        exporting={exporting}
      />
      {props.error !== undefined && props.error !== null ? (
        <ErrorNote error={props.error} {...(props.onRetry === undefined ? {} : { onRetry: props.onRetry })} />
      ) : rows?.length === 0 ? (
        <div className="rounded-lg border border-line bg-surface">
          <Empty {...props} search={search} onClear={change} />
        </div>
      ) : isCards ? (
        <TableCards {...tableProps} />
      ) : (
        // Another height of rows starts the virtual list anew.
        <TableGrid key={String(isDense)} {...tableProps} isDense={isDense} sort={sort} onSort={sortBy} />
      )}
    </div>
  )
}

function sortLabel<Row>(column: Column<Row>, sort: string | undefined): string {
  const order = sortOrderOf(sortNameOf(column) ?? '', sort)
  return order === 'none' ? column.header : `${column.header} (${order})`
}

function Empty<Row>({
  label,
  rowsName = label,
  fields = [],
  narrowedBy = [],
  searchBox,
  empty,
  search,
  onClear,
}: DataTableProps<Row> & { readonly search: Search; readonly onClear: (change: Search) => void }) {
  const others = [...narrowedBy, ...(searchBox === undefined ? [] : ['q'])]
  const isNarrowed = setFilters(fields, search).length > 0 || others.some((name) => search[name] !== undefined)
  if (!isNarrowed) return empty
  const clear = () =>
    onClear({ ...withoutFilters(fields), ...Object.fromEntries(others.map((name) => [name, undefined])) })
  return (
    <EmptyState title={`No matching ${lowered(rowsName)}`} action={<Button onClick={clear}>Clear filters</Button>} />
  )
}

/** `Requests` becomes `requests`, and `API keys` stays. */
function lowered(words: string): string {
  return /^[A-Z][^A-Z]/.test(words) ? words.charAt(0).toLowerCase() + words.slice(1) : words
}

/** The columns that the person chose, and the choice. */
function useColumns<Row>(name: string, columns: readonly Column<Row>[]) {
  const [columnVisibility, setColumnVisibility] = useColumnChoice(name, columns)
  const definitions = useMemo(() => columns.map(({ id, header }) => ({ id, header })), [columns])
  const table = useTable({
    features,
    columns: definitions,
    data: noRows,
    state: { columnVisibility },
    onColumnVisibilityChange: setColumnVisibility,
  })
  return {
    shown: table
      .getVisibleLeafColumns()
      .map(({ id }) => columns.find((column) => column.id === id))
      .filter((column) => column !== undefined),
    choices: table.getAllLeafColumns().map((column) => ({
      label: columns.find(({ id }) => id === column.id)?.header ?? column.id,
      isOn: column.getIsVisible(),
      toggle: () => column.toggleVisibility(),
    })),
  }
}

// The library selects the visible columns; the virtual body renders the rows.
const noRows: readonly Record<string, never>[] = []
