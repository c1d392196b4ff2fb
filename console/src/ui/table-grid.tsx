import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import type { Ref } from 'react'
import { classNames } from '../lib/class-names.ts'
import type { Column } from './column.ts'
import { rowHeights } from './dense-rows.ts'
import { Skeleton } from './skeleton.tsx'
import { type TableRowsProps, useTableRows } from './table-rows.ts'
import { sortNameOf, sortOrderOf } from './table-sort.ts'

const skeletonRows = 8

export interface TableGridProps<Row> extends TableRowsProps<Row> {
  readonly isDense: boolean
  readonly sort: string | undefined
  readonly onSort: (column: Column<Row>) => void
}

/** A real table, in which two empty rows fill the height of the rows out of view. */
export function TableGrid<Row>(props: TableGridProps<Row>) {
  const { label, rows, columns, rowId, hasMore = false, isDense } = props
  const heightPx = isDense ? rowHeights.dense : rowHeights.normal
  const { frame, body, count, focus, shown, beforePx, afterPx } = useTableRows(props, heightPx)
  return (
    <div
      ref={frame}
      // Rows take the focus once they are loaded.
      tabIndex={rows === undefined ? 0 : undefined}
      role="region"
      aria-label={label}
      className="overflow-x-auto rounded-lg border border-line bg-surface"
    >
      <table
        aria-label={label}
        aria-rowcount={hasMore ? -1 : count + 1}
        aria-busy={rows === undefined}
        className="w-full table-fixed border-collapse"
        style={{ minWidth: widthOf(columns) }}
      >
        <Head {...props} />
        <tbody ref={body as Ref<HTMLTableSectionElement>} {...focus}>
          {rows === undefined ? <Waiting columns={columns} heightPx={heightPx} /> : null}
          {beforePx > 0 ? <Spacer heightPx={beforePx} span={columns.length} /> : null}
          {shown.map(({ row, index }) => (
            <BodyRow key={rowId(row)} {...props} row={row} index={index} heightPx={heightPx} />
          ))}
          {afterPx > 0 && rows !== undefined ? <Spacer heightPx={afterPx} span={columns.length} /> : null}
        </tbody>
        <Foot columns={columns} footer={props.footer} heightPx={heightPx} />
      </table>
    </div>
  )
}

function widthOf<Row>(columns: readonly Column<Row>[]): number {
  return columns.reduce((sum, { width = 160 }) => sum + width, 0)
}

function Head<Row>({ columns, sort, onSort }: TableGridProps<Row>) {
  return (
    <thead>
      <tr className="border-line border-b text-muted text-xs">
        {columns.map((column) => {
          const { id, header, align, width } = column
          const name = sortNameOf(column)
          const order = name === undefined ? undefined : sortOrderOf(name, sort)
          return (
            <th
              key={id}
              scope="col"
              aria-sort={order}
              style={width === undefined ? undefined : { width }}
              className={classNames(
                'truncate px-4 py-2.5 font-medium max-sm:px-2',
                align === 'right' ? 'text-right' : 'text-left',
              )}
            >
              {order === undefined ? (
                header
              ) : (
                <SortButton header={header} order={order} onClick={() => onSort(column)} />
              )}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

const sortIcons = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown } as const

function SortButton({
  header,
  order,
  onClick,
}: {
  readonly header: string
  readonly order: keyof typeof sortIcons
  readonly onClick: () => void
}) {
  const Icon = sortIcons[order]
  return (
    <button
      type="button"
      onClick={onClick}
      className={classNames(
        '-my-1 inline-flex max-w-full items-center gap-1 rounded py-1 hover:text-ink',
        order !== 'none' && 'text-ink',
      )}
    >
      <span className="truncate">{header}</span>
      <Icon size={12} aria-hidden="true" className="shrink-0" />
    </button>
  )
}

function Foot<Row>({
  columns,
  footer,
  heightPx,
}: Pick<TableRowsProps<Row>, 'columns' | 'footer'> & { readonly heightPx: number }) {
  if (footer === undefined) return null
  return (
    <tfoot className="border-line border-t bg-raised font-medium">
      <tr style={{ height: heightPx }}>
        {columns.map(({ id, align }) => (
          <td key={id} className={cellClass(align)}>
            {footer[id]}
          </td>
        ))}
      </tr>
    </tfoot>
  )
}

function BodyRow<Row>({
  row,
  index,
  columns,
  onOpen,
  heightPx,
  isDense,
}: TableGridProps<Row> & { readonly row: Row; readonly index: number; readonly heightPx: number }) {
  return (
    <tr
      data-row={index}
      aria-rowindex={index + 2}
      style={{ height: heightPx }}
      className={classNames(
        'border-line border-b last:border-b-0 focus-visible:-outline-offset-2',
        onOpen !== undefined && 'cursor-pointer hover:bg-raised',
        // Buttons are taller than a dense row.
        isDense && 'leading-6 [&_button]:-my-2 [&_button]:align-middle',
      )}
    >
      {columns.map(({ id, cell, align }) => (
        <td key={id} className={cellClass(align)}>
          {cell(row)}
        </td>
      ))}
    </tr>
  )
}

function cellClass(align: Column<unknown>['align']): string {
  return classNames('truncate px-4 max-sm:px-2', align === 'right' ? 'figures text-right' : 'text-left')
}

function Waiting<Row>({ columns, heightPx }: Pick<TableRowsProps<Row>, 'columns'> & { readonly heightPx: number }) {
  return Array.from({ length: skeletonRows }, (_, index) => (
    <tr key={index} style={{ height: heightPx }} className="border-line border-b last:border-b-0">
      {columns.map(({ id }) => (
        <td key={id} className="px-4 max-sm:px-2">
          <Skeleton className="h-3 w-3/4" />
        </td>
      ))}
    </tr>
  ))
}

function Spacer({ heightPx, span }: { readonly heightPx: number; readonly span: number }) {
  return (
    <tr aria-hidden="true">
      <td colSpan={span} style={{ height: heightPx, padding: 0 }} />
    </tr>
  )
}
