import { Columns3, Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { Menu } from './menu.tsx'

interface ColumnChoice {
  readonly id: string
  readonly label: string
  readonly isShown: boolean
  readonly toggle: () => void
}

export function TableToolbar({
  filters,
  summary,
  choices,
  onExport,
}: {
  readonly filters: ReactNode
  readonly summary: ReactNode
  readonly choices: readonly ColumnChoice[]
  readonly onExport: (() => void) | undefined
}) {
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2 max-sm:basis-full">{filters}</div>
      {summary === undefined ? null : <div className="figures text-muted text-sm">{summary}</div>}
      <div className="flex max-sm:ml-auto">
        <Menu
          trigger={
            <IconButton label="Choose columns">
              <Columns3 size={16} aria-hidden="true" />
            </IconButton>
          }
          heading="Columns"
          items={choices.map(({ label, isShown, toggle }) => ({ label, isChecked: isShown, onSelect: toggle }))}
        />
        <IconButton label="Export loaded rows as CSV" disabled={onExport === undefined} onClick={onExport}>
          <Download size={16} aria-hidden="true" />
        </IconButton>
      </div>
    </div>
  )
}
