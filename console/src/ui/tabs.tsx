import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

interface Tab {
  readonly id: string
  readonly label: string
  readonly content: ReactNode
}

export function Tabs({
  tabs,
  value,
  onChange,
  label,
}: {
  readonly tabs: readonly Tab[]
  readonly value: string
  readonly onChange: (id: string) => void
  readonly label: string
}) {
  return (
    <Base.Root value={value} onValueChange={(next) => onChange(String(next))}>
      <Base.List aria-label={label} className="flex gap-4 overflow-x-auto border-line border-b">
        {tabs.map(({ id, label: text }) => (
          <Base.Tab
            key={id}
            value={id}
            className="-mb-px whitespace-nowrap border-transparent border-b-2 py-2 text-muted text-sm hover:text-ink data-active:border-accent data-active:font-medium data-active:text-ink"
          >
            {text}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map(({ id, content }) => (
        <Base.Panel key={id} value={id} className="pt-4">
          {content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
