import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { absoluteLink, type Invitation, resendInvitation, revokeInvitation } from '../../api/invitations.ts'
import { withStepUp } from '../../api/step-up.ts'
import { useOrganization } from '../../app/wallet.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { SecretDialog } from '../../ui/secret-dialog.tsx'
import { toastError } from '../../ui/toast.tsx'
import { recipientOf } from './recipient-of.ts'

/** Resends or revokes an invitation that was neither accepted nor revoked. */
export function InvitationActions({ of: invitation }: { readonly of: Invitation }) {
  const { organizationId } = useOrganization()
  const client = useQueryClient()
  const [isRevoking, setRevoking] = useState(false)
  const refresh = () => client.invalidateQueries({ queryKey: ['invitations', organizationId] })
  const resending = useMutation({
    mutationFn: () => withStepUp(() => resendInvitation(organizationId, invitation.id)),
    onSuccess: refresh,
    onError: toastError,
  })
  const revoking = useMutation({
    mutationFn: () => revokeInvitation(organizationId, invitation.id),
    onSuccess: async () => {
      setRevoking(false)
      await refresh()
    },
  })
  if (invitation.status === 'accepted' || invitation.status === 'revoked') return null
  return (
    <span className="flex gap-1">
      <Button size="small" isBusy={resending.isPending} onClick={() => resending.mutate()}>
        Resend
      </Button>
      <Button size="small" kind="danger" onClick={() => setRevoking(true)}>
        Revoke
      </Button>
      {resending.data === undefined ? null : (
        <SecretDialog
          title="Copy the new link now"
          copyLabel="Copy link"
          secret={absoluteLink(resending.data.url)}
          description={`${resending.data.mailed ? 'It was also sent by email. ' : ''}The old link no longer works.`}
          onClose={resending.reset}
        />
      )}
      {isRevoking ? (
        <ConfirmDialog
          title="Revoke invitation"
          text={`${recipientOf(invitation)} can no longer accept it. People who already joined stay.`}
          act="Revoke invitation"
          mutation={revoking}
          onClose={() => setRevoking(false)}
        />
      ) : null}
    </span>
  )
}
