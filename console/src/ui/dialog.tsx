import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../lib/class-names.ts'

interface DialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly description?: ReactNode
  readonly children: ReactNode
  /** Buttons at the end; the last one is the main action. */
  readonly actions?: ReactNode
  readonly size?: 'normal' | 'wide'
  /** Whether it may open over another dialog, which stays behind the backdrop. */
  readonly isAbove?: boolean
}

const backdrop =
  'fixed inset-0 bg-slate-950/40 transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0'

/** A modal dialog. Escape and the backdrop close it. */
export function Dialog(props: DialogProps) {
  const { isOpen, onClose, title, description, children, actions, size = 'normal', isAbove = false } = props
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <Base.Portal>
        <Base.Backdrop forceRender className={classNames(backdrop, isAbove ? 'z-50' : 'z-40')} />
        <Base.Popup
          className={classNames(
            isAbove ? 'z-60' : 'z-50',
            'fixed top-1/2 left-1/2 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col rounded-lg border border-line bg-surface shadow-float transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0',
            size === 'wide' ? 'max-w-3xl' : 'max-w-lg',
          )}
        >
          <DialogHead title={title} description={description} />
          <div className="min-h-0 overflow-y-auto px-5 py-4">{children}</div>
          {actions === undefined ? null : (
            <div className="flex flex-wrap justify-end gap-2 border-line border-t px-5 py-3">{actions}</div>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** A dialog at the right edge, for an object that is read beside its list. */
export function Sheet({ isOpen, onClose, title, description, children, actions, size = 'normal' }: DialogProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <Base.Portal>
        <Base.Backdrop className={classNames(backdrop, 'z-40')} />
        <Base.Popup
          className={classNames(
            'fixed inset-y-0 right-0 z-50 flex w-full flex-col border-line border-l bg-surface shadow-float transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0',
            size === 'wide' ? 'max-w-4xl' : 'max-w-xl',
          )}
        >
          <DialogHead title={title} description={description} />
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>
          {actions === undefined ? null : (
            <div className="flex flex-wrap justify-end gap-2 border-line border-t px-5 py-3">{actions}</div>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

function DialogHead({ title, description }: Pick<DialogProps, 'title' | 'description'>) {
  return (
    <div className="flex items-start gap-3 border-line border-b px-5 py-4">
      <div className="min-w-0 flex-1">
        <Base.Title className="truncate font-semibold text-sm">{title}</Base.Title>
        {description === undefined ? null : (
          <Base.Description render={<div />} className="mt-1 text-muted text-sm">
            {description}
          </Base.Description>
        )}
      </div>
      <Base.Close
        aria-label="Close"
        className="-m-1 inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted hover:bg-raised hover:text-ink"
      >
        <X size={16} aria-hidden="true" />
      </Base.Close>
    </div>
  )
}
