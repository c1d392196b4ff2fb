import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { ApiError } from '../../api/api-error.ts'
import { addMember } from '../../api/members.ts'
import { withStepUp } from '../../api/step-up.ts'
import { useOrganization } from '../../app/wallet.ts'
import { reachOf } from '../../app/wallet-rights.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { type MemberFields, termsOf } from './member-fields.ts'
import { MemberFormFields } from './member-form.tsx'

/** Whether the address has no account that has confirmed it. */
function isUnknown(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 404
}

/** Adds a person who already has an account. */
export function AddMemberDialog({
  onInvite,
  onClose,
}: {
  readonly onInvite: (email: string) => void
  readonly onClose: () => void
}) {
  const organization = useOrganization()
  const { organizationId } = organization
  const client = useQueryClient()
  const form = useForm<MemberFields>({ defaultValues: { email: '', role: 'member', team: '', budget: '' } })
  const isTeamAdmin = reachOf(organization, 'members.manage') === 'own_team'
  const addition = useMutation({
    mutationFn: (fields: MemberFields) => {
      const { teamId, ...terms } = termsOf(fields)
      // The API puts a member who is added by a team admin into the own team.
      const body = { email: fields.email.trim(), ...terms, ...(isTeamAdmin ? {} : { teamId }) }
      return withStepUp(() => addMember(organizationId, body))
    },
    onSuccess: async ({ data }) => {
      onClose()
      toast(`${data.user.email} added.`)
      await Promise.all(
        ['members', 'teams', 'organization'].map((name) =>
          client.invalidateQueries({ queryKey: [name, organizationId] }),
        ),
      )
    },
  })
  const submit = form.handleSubmit((fields) => addition.mutate(fields))
  const { register, formState } = form
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Add member"
      description="The person needs an account with a confirmed email address. Membership takes effect at once."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="add-member" isBusy={addition.isPending}>
            Add member
          </Button>
        </>
      }
    >
      <form id="add-member" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {addition.error === null ? null : <ErrorNote error={addition.error} />}
        {isUnknown(addition.error) ? (
          <Button className="self-start" onClick={() => onInvite(form.getValues('email').trim())}>
            Invite instead
          </Button>
        ) : null}
        <TextField
          label="Email"
          type="email"
          autoComplete="off"
          error={formState.errors.email?.message}
          {...register('email', { required: 'Enter an email address.' })}
        />
        <MemberFormFields form={form} />
      </form>
    </Dialog>
  )
}
