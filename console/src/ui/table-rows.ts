import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Column } from './column.ts'
import { useRowFocus } from './use-row-focus.ts'

export interface TableRowsProps<Row> {
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
}

/** The rows in view, the room of the others, and how the keyboard moves between them. */
export function useTableRows<Row>(props: TableRowsProps<Row>, heightPx: number) {
  const { rows, hasMore = false, onMore, onOpen } = props
  const frame = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLElement>(null)
  const count = rows?.length ?? 0
  const [scrollMargin, setScrollMargin] = useState(0)
  // Chips above the table wrap, so that it moves.
  useLayoutEffect(() => setScrollMargin(frame.current?.offsetTop ?? 0))
  const virtualizer = useWindowVirtualizer({ count, estimateSize: () => heightPx, overscan: 10, scrollMargin })
  const items = virtualizer.getVirtualItems()
  const isAtEnd = rows !== undefined && (items.at(-1)?.index ?? -1) >= count - 10
  useEffect(() => {
    if (isAtEnd && hasMore) onMore?.()
  }, [isAtEnd, hasMore, onMore, count])
  const open = (index: number) => {
    const row = rows?.[index]
    if (row !== undefined) onOpen?.(row)
  }
  const focus = useRowFocus({
    body,
    count,
    rendered: items.map(({ index }) => index),
    scrollTo: (index) => virtualizer.scrollToIndex(index),
    onOpen: onOpen === undefined ? undefined : open,
  })
  return {
    frame,
    body,
    count,
    focus,
    shown: items.flatMap(({ index }) => {
      const row = rows?.[index]
      return row === undefined ? [] : [{ index, row }]
    }),
    measure: virtualizer.measureElement,
    beforePx: (items[0]?.start ?? scrollMargin) - scrollMargin,
    afterPx: virtualizer.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin),
  }
}
