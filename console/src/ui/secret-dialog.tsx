import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { CodeBlock } from './copy-button.tsx'
import { Dialog } from './dialog.tsx'

/** Shows a secret once. It is stored only in the state of the component that created it. */
export function SecretDialog({
  secret,
  title = 'Copy your secret now',
  copyLabel = 'Copy secret',
  description,
  onClose,
  children,
}: {
  readonly secret: string
  readonly title?: string
  readonly copyLabel?: string
  readonly description: string
  readonly onClose: () => void
  readonly children?: ReactNode
}) {
  return (
    <Dialog
      isOpen
      isAbove
      onClose={onClose}
      title={title}
      description={description}
      actions={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <CodeBlock code={secret} label={copyLabel} isWrapped />
        {children}
      </div>
    </Dialog>
  )
}
