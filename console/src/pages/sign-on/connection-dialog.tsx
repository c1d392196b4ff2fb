import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { changeConnection, connectionsQuery, createConnection, type SignOnConnection } from '../../api/sign-on.ts'
import { withStepUp } from '../../api/step-up.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { toast } from '../../ui/toast.tsx'
import { type ConnectionFields, changedConnection, fieldsOf, newConnection } from './connection-fields.ts'
import { ConnectionForm } from './connection-form.tsx'

/** Adds an identity provider, or edits one. */
export function ConnectionDialog({
  organizationId,
  of: connection,
  onClose,
}: {
  readonly organizationId: string
  /** Null for a new one. */
  readonly of: SignOnConnection | null
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  const formId = useId()
  const form = useForm<ConnectionFields>({ defaultValues: fieldsOf(connection) })
  const saving = useMutation({
    mutationFn: (fields: ConnectionFields) =>
      withStepUp<unknown>(() =>
        connection === null
          ? createConnection(organizationId, newConnection(fields))
          : changeConnection(organizationId, connection.id, changedConnection(fields)),
      ),
    onSuccess: async () => {
      onClose()
      toast('Identity provider saved. Test it next.')
      await client.invalidateQueries({ queryKey: connectionsQuery(organizationId).queryKey })
    },
    gcTime: 0,
  })
  const submit = form.handleSubmit((fields) => saving.mutate(fields))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={connection === null ? 'Add identity provider' : `Edit ${connection.name}`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={saving.isPending}>
            {connection === null ? 'Add identity provider' : 'Save changes'}
          </Button>
        </>
      }
    >
      <form id={formId} className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {saving.error === null ? null : <ErrorNote error={saving.error} />}
        <ConnectionForm form={form} isNew={connection === null} />
      </form>
    </Dialog>
  )
}
