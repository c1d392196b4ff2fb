import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorNote } from './error-note.tsx'

/** Asks before an action that cannot be undone. */
export function ConfirmDialog({
  title,
  text,
  act,
  mutation,
  onClose,
}: {
  readonly title: string
  readonly text: ReactNode
  readonly act: string
  readonly mutation: { readonly isPending: boolean; readonly error: Error | null; readonly mutate: () => void }
  readonly onClose: () => void
}) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" isBusy={mutation.isPending} onClick={() => mutation.mutate()}>
            {act}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        {mutation.error === null ? null : <ErrorNote error={mutation.error} />}
        <p>{text}</p>
      </div>
    </Dialog>
  )
}
