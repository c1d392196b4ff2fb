import { useMutation, useQueryClient } from '@tanstack/react-query'
import { deleteTeam, type Team } from '../../api/teams.ts'
import { useOrganization } from '../../app/wallet.ts'
import { plural } from '../../lib/plural.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Money } from '../../ui/money.tsx'
import { toast } from '../../ui/toast.tsx'

/** Confirms the deletion and names its consequences. */
export function DeleteTeamDialog({
  of: team,
  onClose,
  onDeleted,
}: {
  readonly of: Team
  readonly onClose: () => void
  readonly onDeleted: () => void
}) {
  const { organizationId, name: organization } = useOrganization()
  const client = useQueryClient()
  const removal = useMutation({
    mutationFn: () => deleteTeam(organizationId, team.id),
    onSuccess: async () => {
      onDeleted()
      toast(`${team.name} deleted.`)
      client.removeQueries({ queryKey: ['teams', organizationId, 'one', team.id] })
      await Promise.all(
        ['teams', 'members', 'keys', 'organization'].map((name) =>
          client.invalidateQueries({ queryKey: [name, organizationId] }),
        ),
      )
    },
  })
  const [members, keys] = [Number(team.memberCount), Number(team.keyCount)]
  return (
    <Dialog
      isOpen
      isAbove
      onClose={onClose}
      title={`Delete ${team.name}?`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" isBusy={removal.isPending} onClick={() => removal.mutate()}>
            Delete team
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        {removal.error === null ? null : <ErrorNote error={removal.error} />}
        <p>
          {plural(members, 'member')} {members === 1 ? 'stays' : 'stay'} in {organization} without a team, and team
          admins become members. {plural(keys, 'API key')} of the team {keys === 1 ? 'is' : 'are'} revoked. The team
          spent <Money usd={team.spendThisMonth} /> this month.
        </p>
        <p className="text-muted">
          The team's budget, allowed models, and spend breaker no longer apply. Past requests stay in reports. You can't
          undo this.
        </p>
      </div>
    </Dialog>
  )
}
