import { Popover as Base } from '@base-ui/react/popover'
import type { ReactElement, ReactNode } from 'react'

/** A panel below a button, for what a menu cannot hold: inputs and lists with search. Escape closes it. */
export function Popover({
  trigger,
  label,
  isOpen,
  onOpen,
  children,
  align = 'start',
}: {
  /** The button that opens the panel. It needs a label. */
  readonly trigger: ReactElement<Record<string, unknown>>
  readonly label: string
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
  readonly children: ReactNode
  readonly align?: 'start' | 'end'
}) {
  return (
    <Base.Root open={isOpen} onOpenChange={onOpen}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={4} collisionPadding={8} className="z-50">
          <Base.Popup
            aria-label={label}
            className="w-80 max-w-[calc(100vw-1rem)] rounded-md border border-line bg-surface p-2 text-sm shadow-float outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
