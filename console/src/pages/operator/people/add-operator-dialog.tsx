import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { addOperator, type NewOperator, operatorPeopleQuery } from '../../../api/operator-people.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.tsx'
import { roleChoices } from './role-choices.ts'

/** Makes a person who has an account an operator. */
export function AddOperatorDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient()
  const form = useForm<NewOperator>({ defaultValues: { email: '', role: 'read_only' } })
  const addition = useMutation({
    mutationFn: ({ email, role }: NewOperator) => addOperator({ email: email.trim(), role }),
    onSuccess: async ({ email, hasSecondFactor }) => {
      onClose()
      toast(hasSecondFactor ? `${email} added.` : `${email} added. This person must set up a second factor first.`)
      await client.invalidateQueries({ queryKey: operatorPeopleQuery.queryKey })
    },
  })
  const submit = form.handleSubmit((operator) => addition.mutate(operator))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Add operator"
      description="The person needs an account with a confirmed email address. The role takes effect at once."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="add-operator" isBusy={addition.isPending}>
            Add operator
          </Button>
        </>
      }
    >
      <form id="add-operator" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {addition.error === null ? null : <ErrorNote error={addition.error} />}
        <TextField
          label="Email"
          type="email"
          autoComplete="off"
          error={form.formState.errors.email?.message}
          {...form.register('email', { required: 'Enter an email address.' })}
        />
        <SelectField label="Role" choices={roleChoices} {...form.register('role')} />
      </form>
    </Dialog>
  )
}
