import { Menu as Base } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'

interface MenuItem {
  readonly label: ReactNode
  readonly onSelect: () => void
  readonly icon?: ReactNode
  readonly isChecked?: boolean
  readonly isDanger?: boolean
}

interface MenuProps {
  /** The button that opens the menu. It needs a label. */
  readonly trigger: ReactElement<Record<string, unknown>>
  readonly heading?: ReactNode
  readonly items: readonly MenuItem[]
  readonly align?: 'start' | 'end'
}

export function Menu({ trigger, heading, items, align = 'end' }: MenuProps) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={4} className="z-50">
          <Base.Popup className="min-w-48 max-w-80 rounded-md border border-line bg-surface p-1 text-sm shadow-float outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0">
            {heading === undefined ? null : <div className="truncate px-2 py-1.5 text-muted text-xs">{heading}</div>}
            {items.map((item, index) => (
              <Base.Item
                // The items of a menu do not change while it is open, so the index is a stable key.
                key={index}
                onClick={item.onSelect}
                className={`flex cursor-pointer items-center gap-2 rounded px-2 py-1.5 outline-none data-highlighted:bg-raised ${item.isDanger === true ? 'text-bad' : ''}`}
              >
                {item.icon}
                <span className="min-w-0 flex-1 truncate">{item.label}</span>
                {item.isChecked === true ? <Check size={14} aria-label="Selected" /> : null}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
