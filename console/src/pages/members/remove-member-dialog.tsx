import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Member, removeMember } from '../../api/members.ts'
import { useOrganization } from '../../app/wallet.ts'
import { plural } from '../../lib/plural.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Money } from '../../ui/money.tsx'
import { toast } from '../../ui/toast.tsx'
import { nameOf } from './member-columns.tsx'

/** Confirms the removal and names its consequences. */
export function RemoveMemberDialog({
  of: member,
  onClose,
  onRemoved,
}: {
  readonly of: Member
  readonly onClose: () => void
  readonly onRemoved: () => void
}) {
  const { organizationId, name: organization } = useOrganization()
  const client = useQueryClient()
  const removal = useMutation({
    mutationFn: () => removeMember(organizationId, member.id),
    onSuccess: async () => {
      onRemoved()
      toast(`${nameOf(member)} removed.`)
      client.removeQueries({ queryKey: ['members', organizationId, 'one', member.id] })
      await Promise.all(
        ['members', 'teams', 'keys', 'organization'].map((name) =>
          client.invalidateQueries({ queryKey: [name, organizationId] }),
        ),
      )
    },
  })
  const keys = Number(member.keyCount)
  return (
    <Dialog
      isOpen
      isAbove
      onClose={onClose}
      title={`Remove ${nameOf(member)}?`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" isBusy={removal.isPending} onClick={() => removal.mutate()}>
            Remove member
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        {removal.error === null ? null : <ErrorNote error={removal.error} />}
        <p>
          {nameOf(member)} loses access to {organization}.{' '}
          {keys === 0
            ? 'They have no API keys here.'
            : `${plural(keys, 'API key')} ${keys === 1 ? 'is' : 'are'} revoked, and ${keys === 1 ? 'its' : 'their'} requests are rejected within 15 seconds.`}{' '}
          They spent <Money usd={member.spendThisMonth} /> this month.
        </p>
        <p className="text-muted">
          Their requests stay in the history of {organization}. Their own account and personal keys don't change. You
          can add them again, but revoked keys don't come back.
        </p>
      </div>
    </Dialog>
  )
}
