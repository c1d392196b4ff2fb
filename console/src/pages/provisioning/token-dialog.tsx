import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { createScimToken, provisioningQuery } from '../../api/provisioning.ts'
import { withStepUp } from '../../api/step-up.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { SecretDialog } from '../../ui/secret-dialog.tsx'

const lifetimes = [
  { value: '365', label: 'One year' },
  { value: '180', label: '180 days' },
  { value: '90', label: '90 days' },
  { value: '', label: 'Never' },
]

/** Creates a token and shows it once. */
export function TokenDialog({
  organizationId,
  onClose,
}: {
  readonly organizationId: string
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  const formId = useId()
  const { register, formState, handleSubmit } = useForm({ defaultValues: { name: '', days: '365' } })
  const creating = useMutation({
    mutationFn: ({ name, days }: { name: string; days: string }) =>
      withStepUp(() =>
        createScimToken(organizationId, { name: name.trim(), expiresInDays: days === '' ? null : Number(days) }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: provisioningQuery(organizationId).queryKey }),
    gcTime: 0,
  })
  if (creating.data !== undefined) return <NewSecret secret={creating.data} onClose={onClose} />
  const submit = handleSubmit((fields) => creating.mutate(fields))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Create token"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={creating.isPending}>
            Create token
          </Button>
        </>
      }
    >
      <form id={formId} className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {creating.error === null ? null : <ErrorNote error={creating.error} />}
        <TextField
          label="Name"
          hint="The directory that uses it. The audit log shows this name."
          placeholder="Entra ID"
          maxLength={100}
          error={formState.errors.name?.message}
          {...register('name', { validate: (name) => name.trim() !== '' || 'Enter a name.' })}
        />
        <SelectField label="Expires after" choices={lifetimes} {...register('days')} />
      </form>
    </Dialog>
  )
}

export function NewSecret({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <SecretDialog
      secret={secret}
      title="Copy your token now"
      copyLabel="Copy token"
      description="You won't be able to see it again. Anyone who has it can add and remove members of this organization."
      onClose={onClose}
    />
  )
}
