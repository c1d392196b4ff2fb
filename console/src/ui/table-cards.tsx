import type { ReactNode, Ref } from 'react'
import { classNames } from '../lib/class-names.ts'
import { arrangeCard, type CardColumns } from './arrange-card.ts'
import type { Column } from './column.ts'
import { Skeleton } from './skeleton.tsx'
import { type TableRowsProps, useTableRows } from './table-rows.ts'

// The height of a card with one line of figures. Taller ones are measured.
const cardHeight = 68
const skeletonCards = 6

/** The rows as cards, for phones: the title, the main figures and the menu of each. */
export function TableCards<Row>(props: TableRowsProps<Row>) {
  const { label, rows, rowId, onOpen, footer } = props
  const card = arrangeCard(props.columns)
  const { frame, body, focus, shown, measure, beforePx, afterPx } = useTableRows(props, cardHeight)
  return (
    <div ref={frame} role="region" aria-label={label} className="rounded-lg border border-line bg-surface">
      <ul ref={body as Ref<HTMLUListElement>} aria-label={label} aria-busy={rows === undefined} {...focus}>
        {rows === undefined ? <Waiting /> : null}
        {beforePx > 0 ? <li aria-hidden="true" style={{ height: beforePx }} /> : null}
        {shown.map(({ row, index }) => (
          <li
            key={rowId(row)}
            ref={measure}
            data-index={index}
            data-row={index}
            className={classNames(
              'border-line border-b px-3 py-2.5 last:border-b-0 focus-visible:-outline-offset-2',
              onOpen !== undefined && 'cursor-pointer active:bg-raised',
            )}
          >
            <Card card={card} row={row} />
          </li>
        ))}
        {afterPx > 0 && rows !== undefined ? <li aria-hidden="true" style={{ height: afterPx }} /> : null}
      </ul>
      {footer === undefined ? null : <Sums columns={props.columns} footer={footer} />}
    </div>
  )
}

function Card<Row>({ card, row }: { readonly card: CardColumns<Row>; readonly row: Row }) {
  return (
    <>
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1 font-medium [overflow-wrap:anywhere]">{card.title?.cell(row)}</div>
        {card.actions.map(({ id, cell }) => (
          <div key={id} className="-my-1 flex min-h-8 shrink-0 items-center">
            {cell(row)}
          </div>
        ))}
      </div>
      <Figures values={card.figures.map(({ id, header, cell }) => ({ id, header, value: cell(row) }))} />
    </>
  )
}

function Figures({
  values,
}: {
  readonly values: readonly { readonly id: string; readonly header: string; readonly value: ReactNode }[]
}) {
  return (
    <dl className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-xs">
      {values.map(({ id, header, value }) => (
        <div key={id} data-figure={id} className="flex min-w-0 items-center gap-1.5">
          <dt className="shrink-0 text-muted">{header}</dt>
          <dd className="figures min-w-0 [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The footer of the table. The first value has no label: it says what was summed. */
function Sums<Row>({
  columns,
  footer,
}: {
  readonly columns: readonly Column<Row>[]
  readonly footer: NonNullable<TableRowsProps<Row>['footer']>
}) {
  const [first, ...others] = columns.filter(({ id }) => footer[id] !== undefined)
  return (
    <div className="rounded-b-lg border-line border-t bg-raised px-3 py-2.5">
      <div className="font-medium">{first === undefined ? null : footer[first.id]}</div>
      <Figures values={others.map(({ id, header }) => ({ id, header, value: footer[id] }))} />
    </div>
  )
}

function Waiting() {
  return Array.from({ length: skeletonCards }, (_, index) => (
    <li key={index} style={{ height: cardHeight }} className="border-line border-b px-3 py-2.5 last:border-b-0">
      <Skeleton className="h-4 w-1/2" />
      <Skeleton className="mt-2 h-3 w-3/4" />
    </li>
  ))
}
