import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { changeOperator, type OperatorPerson, operatorPeopleQuery } from '../../../api/operator-people.ts'
import { operatorSelfQuery } from '../../../api/operator-self.ts'
import { operatorWords } from '../../../app/operator-words.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.tsx'
import { roleChoices } from './role-choices.ts'

export function ChangeRoleDialog({
  person,
  onClose,
}: {
  readonly person: OperatorPerson
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  const form = useForm({ defaultValues: { role: person.role } })
  const change = useMutation({
    mutationFn: ({ role }: Pick<OperatorPerson, 'role'>) => changeOperator(person.userId, role),
    onSuccess: async ({ email, role }) => {
      onClose()
      toast(`${email} has the role ${operatorWords[role].label}.`)
      await Promise.all(
        [operatorPeopleQuery, operatorSelfQuery].map(({ queryKey }) => client.invalidateQueries({ queryKey })),
      )
    },
  })
  const submit = form.handleSubmit((fields) => change.mutate(fields))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Change the role of ${person.email}`}
      description="The role takes effect with the next request."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="change-role" isBusy={change.isPending}>
            Change role
          </Button>
        </>
      }
    >
      <form id="change-role" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {change.error === null ? null : <ErrorNote error={change.error} />}
        <SelectField label="Role" choices={roleChoices} {...form.register('role')} />
      </form>
    </Dialog>
  )
}
