import { absoluteLink, type InviteOutcome } from '../../api/invitations.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

const words = {
  invited: ['Invited', 'good'],
  renewed: ['Invited again', 'good'],
  already_member: ['Already a member', 'neutral'],
  invited_to_other_team: ['Invited to another team', 'warn'],
} as const

/** The links of new invitations. They are shown once, because only their hash is stored. */
export function SentInvitations({
  outcomes,
  onClose,
}: {
  readonly outcomes: readonly InviteOutcome[]
  readonly onClose: () => void
}) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={outcomes.some(({ mailed }) => mailed) ? 'Invitations sent' : 'Copy the links now'}
      description="Each link is shown only once. You can resend an invitation to get a new one."
      actions={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <ul className="flex flex-col divide-y divide-line text-sm">
        {outcomes.map(({ outcome, email, url }) => (
          <li key={email ?? 'link'} className="flex min-w-0 flex-col gap-1 py-2">
            <span className="flex min-w-0 items-center gap-2">
              <span className="min-w-0 flex-1 truncate font-medium">{email ?? 'Open link'}</span>
              <Badge tone={words[outcome][1]}>{words[outcome][0]}</Badge>
            </span>
            {url === null ? null : (
              <span className="flex min-w-0 items-center gap-1">
                <code className="min-w-0 flex-1 truncate font-mono text-muted text-xs">{absoluteLink(url)}</code>
                <CopyButton text={absoluteLink(url)} label={`Copy link for ${email ?? 'anyone'}`} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
