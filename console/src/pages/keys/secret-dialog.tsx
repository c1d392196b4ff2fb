import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { StreamTrial } from '../../ui/stream-trial.tsx'

/** A secret, once: it lives in the state of the dialog that made it and nowhere else. */
export function SecretDialog({
  secret,
  isStandard,
  onClose,
  children,
}: {
  readonly secret: string
  /** Only standard keys call models, so only they can be tried. */
  readonly isStandard: boolean
  readonly onClose: () => void
  readonly children?: ReactNode
}) {
  return (
    <Dialog
      isOpen
      isAbove
      onClose={onClose}
      title="Copy the secret now"
      description="It is shown this once, and we keep only a hash of it."
      actions={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <CodeBlock code={secret} label="Copy the secret" isWrapped />
        {children}
        {isStandard ? <StreamTrial readKey={async () => secret} /> : null}
      </div>
    </Dialog>
  )
}
