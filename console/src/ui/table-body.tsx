import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { type MouseEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { classNames } from '../lib/class-names.ts'
import { arrangeColumns } from './arrange-columns.ts'
import type { Column } from './column.ts'
import { Skeleton } from './skeleton.tsx'
import { useIsNarrow } from './use-is-narrow.ts'

const rowHeight = 40
const skeletonRows = 8

export interface TableBodyProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[] | undefined
  readonly rowId: (row: Row) => string
  /** Server-side paging: requests the next page when the last rows become visible. */
  readonly hasMore?: boolean
  readonly onMore?: () => void
  /** Called for a click on a row, or Enter on it. */
  readonly onOpen?: (row: Row) => void
  /** A footer row by column id, such as a sum. */
  readonly footer?: Readonly<Record<string, ReactNode>> | undefined
  readonly empty: ReactNode
}

/** A real table, in which two empty rows fill the height of the rows out of view. */
export function TableBody<Row>(props: TableBodyProps<Row>) {
  const { label, rows, rowId, hasMore = false, onMore, empty } = props
  const columns = arrangeColumns(props.columns, useIsNarrow())
  const frame = useRef<HTMLDivElement>(null)
  const count = rows?.length ?? 0
  const [scrollMargin, setScrollMargin] = useState(0)
  useLayoutEffect(() => setScrollMargin(frame.current?.offsetTop ?? 0), [])
  const virtualizer = useWindowVirtualizer({ count, estimateSize: () => rowHeight, overscan: 10, scrollMargin })
  const items = virtualizer.getVirtualItems()
  const isAtEnd = rows !== undefined && (items.at(-1)?.index ?? -1) >= count - 10
  useEffect(() => {
    if (isAtEnd && hasMore) onMore?.()
  }, [isAtEnd, hasMore, onMore, count])
  if (rows !== undefined && count === 0) {
    return <div className="rounded-lg border border-line bg-surface">{empty}</div>
  }
  const before = (items[0]?.start ?? scrollMargin) - scrollMargin
  const after = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin)
  return (
    <div
      ref={frame}
      tabIndex={0}
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
        <Head columns={columns} />
        <tbody>
          {rows === undefined ? <Waiting columns={columns} /> : null}
          {before > 0 ? <Spacer height={before} span={columns.length} /> : null}
          {items.map((item) => (
            <BodyRow key={keyOf(item, rows, rowId)} {...props} columns={columns} item={item} />
          ))}
          {after > 0 && rows !== undefined ? <Spacer height={after} span={columns.length} /> : null}
        </tbody>
        <Foot columns={columns} footer={props.footer} />
      </table>
    </div>
  )
}

function keyOf<Row>(item: VirtualItem, rows: readonly Row[] | undefined, rowId: (row: Row) => string) {
  const row = rows?.[item.index]
  return row === undefined ? item.key : rowId(row)
}

function widthOf<Row>(columns: readonly Column<Row>[]): number {
  return columns.reduce((sum, { width = 160 }) => sum + width, 0)
}

function Head<Row>({ columns }: { readonly columns: readonly Column<Row>[] }) {
  return (
    <thead>
      <tr className="border-line border-b text-muted text-xs">
        {columns.map(({ id, header, align, width }) => (
          <th
            key={id}
            scope="col"
            style={width === undefined ? undefined : { width }}
            className={classNames(
              'truncate px-4 py-2.5 font-medium max-sm:px-2',
              align === 'right' ? 'text-right' : 'text-left',
            )}
          >
            {header}
          </th>
        ))}
      </tr>
    </thead>
  )
}

function Foot<Row>({
  columns,
  footer,
}: {
  readonly columns: readonly Column<Row>[]
  readonly footer: TableBodyProps<Row>['footer']
}) {
  if (footer === undefined) return null
  return (
    <tfoot className="border-line border-t bg-raised font-medium">
      <tr style={{ height: rowHeight }}>
        {columns.map(({ id, align }) => (
          <td
            key={id}
            className={classNames('truncate px-4 max-sm:px-2', align === 'right' ? 'figures text-right' : 'text-left')}
          >
            {footer[id]}
          </td>
        ))}
      </tr>
    </tfoot>
  )
}

function BodyRow<Row>({ rows, columns, onOpen, item }: TableBodyProps<Row> & { readonly item: VirtualItem }) {
  const row = rows?.[item.index]
  if (row === undefined) return null
  const open = onOpen === undefined ? undefined : () => onOpen(row)
  return (
    <tr
      aria-rowindex={item.index + 2}
      style={{ height: rowHeight }}
      tabIndex={open === undefined ? undefined : 0}
      onClick={open === undefined ? undefined : (event) => (isOnRow(event) ? open() : undefined)}
      onKeyDown={
        open === undefined
          ? undefined
          : (event) => (event.key === 'Enter' && event.target === event.currentTarget ? open() : undefined)
      }
      className={classNames(
        'border-line border-b last:border-b-0',
        open === undefined ? '' : 'cursor-pointer hover:bg-raised focus-visible:-outline-offset-2',
      )}
    >
      {columns.map(({ id, cell, align }) => (
        <td
          key={id}
          className={classNames('truncate px-4 max-sm:px-2', align === 'right' ? 'figures text-right' : 'text-left')}
        >
          {cell(row)}
        </td>
      ))}
    </tr>
  )
}

/**
 * Links and buttons in a row handle their own clicks, and so do menus and dialogs, which React treats as children of
 * the row.
 */
function isOnRow({ target, currentTarget }: MouseEvent): boolean {
  return target instanceof Element && currentTarget.contains(target) && target.closest('a, button, input') === null
}

function Waiting<Row>({ columns }: { readonly columns: readonly Column<Row>[] }) {
  return Array.from({ length: skeletonRows }, (_, index) => (
    <tr key={index} style={{ height: rowHeight }} className="border-line border-b last:border-b-0">
      {columns.map(({ id }) => (
        <td key={id} className="px-4 max-sm:px-2">
          <Skeleton className="h-3 w-3/4" />
        </td>
      ))}
    </tr>
  ))
}

function Spacer({ height, span }: { readonly height: number; readonly span: number }) {
  return (
    <tr aria-hidden="true">
      <td colSpan={span} style={{ height, padding: 0 }} />
    </tr>
  )
}
