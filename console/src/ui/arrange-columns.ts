import type { Column } from './column.ts'

/** On phones, the columns with a `phoneWidth` come first, so that they are seen without scrolling. */
export function arrangeColumns<Row>(columns: readonly Column<Row>[], isNarrow: boolean): readonly Column<Row>[] {
  if (!isNarrow) return columns
  const first = columns.flatMap(({ phoneWidth, ...column }) =>
    phoneWidth === undefined ? [] : [{ ...column, width: phoneWidth }],
  )
  return [...first, ...columns.filter(({ phoneWidth }) => phoneWidth === undefined)]
}
