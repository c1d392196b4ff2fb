import type { ReactNode } from 'react'
import { SecretDialog } from '../../ui/secret-dialog.tsx'
import { StreamTrial } from '../../ui/stream-trial.tsx'

/** The secret of a key, and a first request with it. */
export function KeySecretDialog({
  secret,
  isStandard,
  onClose,
  children,
}: {
  readonly secret: string
  /** Only standard keys can call models, so only they can be tried. */
  readonly isStandard: boolean
  readonly onClose: () => void
  readonly children?: ReactNode
}) {
  return (
    <SecretDialog
      secret={secret}
      description="You won't be able to see it again. Weir stores only a hash."
      onClose={onClose}
    >
      {children}
      {isStandard ? <StreamTrial readKey={async () => secret} /> : null}
    </SecretDialog>
  )
}
