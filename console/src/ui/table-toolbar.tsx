import { ArrowUpDown, Columns3, Download, Rows4 } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { denseRows } from './dense-rows.ts'
import { Menu } from './menu.tsx'
import { ViewsMenu } from './views-menu.tsx'

interface Toggle {
  readonly label: string
  readonly isOn: boolean
  readonly toggle: () => void
}

export interface TableToolbarProps {
  readonly filters: ReactNode
  readonly summary: ReactNode
  readonly columns: readonly Toggle[]
  /** Only for cards, which have no headers to sort by. */
  readonly sorts: readonly Toggle[]
  /** The name of the table, if its filters or sort order can be saved as a view. */
  readonly viewsOf: string | undefined
  readonly isCards: boolean
  readonly exporting: { readonly label: string; readonly isBusy: boolean; readonly start: (() => void) | undefined }
}

export function TableToolbar({ filters, summary, viewsOf, isCards, exporting, ...menus }: TableToolbarProps) {
  return (
    <div className="mb-3 flex flex-wrap items-start gap-2">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2 max-sm:basis-full">{filters}</div>
      <div className="flex min-h-9 flex-wrap items-center gap-x-2 max-sm:ml-auto">
        {summary === undefined ? null : <div className="figures text-muted text-sm">{summary}</div>}
        <div className="flex">
          {viewsOf === undefined ? null : <ViewsMenu table={viewsOf} />}
          {isCards ? <SortMenu sorts={menus.sorts} /> : <DenseButton />}
          <Menu
            trigger={
              <IconButton label="Choose columns">
                <Columns3 size={16} aria-hidden="true" />
              </IconButton>
            }
            heading="Columns"
            items={itemsOf(menus.columns)}
          />
          <IconButton
            label={exporting.label}
            aria-busy={exporting.isBusy || undefined}
            disabled={exporting.start === undefined || exporting.isBusy}
            onClick={exporting.start}
          >
            <Download size={16} aria-hidden="true" />
          </IconButton>
        </div>
      </div>
    </div>
  )
}

function SortMenu({ sorts }: Pick<TableToolbarProps, 'sorts'>) {
  if (sorts.length === 0) return null
  return (
    <Menu
      trigger={
        <IconButton label="Sort">
          <ArrowUpDown size={16} aria-hidden="true" />
        </IconButton>
      }
      heading="Sort by"
      items={itemsOf(sorts)}
    />
  )
}

function DenseButton() {
  const isDense = denseRows.useFlag()
  return (
    <IconButton
      label="Dense rows"
      aria-pressed={isDense}
      onClick={denseRows.toggle}
      className={isDense ? 'bg-raised text-ink' : ''}
    >
      <Rows4 size={16} aria-hidden="true" />
    </IconButton>
  )
}

function itemsOf(toggles: readonly Toggle[]) {
  return toggles.map(({ label, isOn, toggle }) => ({ label, isChecked: isOn, onSelect: toggle }))
}
