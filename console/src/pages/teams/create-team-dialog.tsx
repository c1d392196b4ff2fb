import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { createTeam } from '../../api/teams.ts'
import { useOrganization } from '../../app/wallet.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { toast } from '../../ui/toast.tsx'
import { emptyTeam, type TeamFields, teamTermsOf } from './team-fields.ts'
import { TeamFormFields } from './team-form.tsx'

export function CreateTeamDialog({ onClose }: { readonly onClose: () => void }) {
  const { organizationId } = useOrganization()
  const client = useQueryClient()
  const form = useForm<TeamFields>({ defaultValues: emptyTeam })
  const creation = useMutation({
    mutationFn: (fields: TeamFields) => createTeam(organizationId, teamTermsOf(fields)),
    onSuccess: async ({ data }) => {
      onClose()
      toast(`${data.name} created.`)
      await client.invalidateQueries({ queryKey: ['teams', organizationId] })
    },
  })
  const submit = form.handleSubmit((fields) => creation.mutate(fields))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Create team"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="create-team" isBusy={creation.isPending}>
            Create team
          </Button>
        </>
      }
    >
      <form id="create-team" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {creation.error === null ? null : <ErrorNote error={creation.error} />}
        <TeamFormFields form={form} isWhole />
      </form>
    </Dialog>
  )
}
