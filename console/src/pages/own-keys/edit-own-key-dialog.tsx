import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { changeOwnKey, type OwnKey, ownKeysQuery } from '../../api/own-keys.ts'
import { withStepUp } from '../../api/step-up.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { toast } from '../../ui/toast.tsx'
import { OwnKeyFields, type OwnKeyFieldValues, wayFields, wayOf } from './own-key-fields.tsx'

/** Changes everything but the secret. */
export function EditOwnKeyDialog({
  organizationId,
  of: key,
  onClose,
}: {
  readonly organizationId: string
  readonly of: OwnKey
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  const { name, baseUrl, fallbackMode } = key
  const way = wayOf(key)
  const form = useForm<OwnKeyFieldValues>({ defaultValues: { name, baseUrl, way, fallbackMode, apiKey: '' } })
  const saving = useMutation({
    mutationFn: ({ apiKey: _none, way: chosen, ...fields }: OwnKeyFieldValues) =>
      withStepUp(() =>
        changeOwnKey(organizationId, key.id, { ...fields, ...(key.provider === null ? wayFields(chosen) : {}) }),
      ),
    onSuccess: async () => {
      onClose()
      toast('Own key saved.')
      await client.invalidateQueries({ queryKey: ownKeysQuery(organizationId).queryKey })
    },
  })
  const submit = form.handleSubmit((fields) => saving.mutate(fields))
  return (
    <Dialog
      isOpen
      isAbove
      onClose={onClose}
      title={`Edit ${name}`}
      description="To replace the secret, add a new key and delete this one."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="edit-own-key" isBusy={saving.isPending}>
            Save changes
          </Button>
        </>
      }
    >
      <form id="edit-own-key" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {saving.error === null ? null : <ErrorNote error={saving.error} />}
        <OwnKeyFields form={form} isNew={false} providers={[]} />
      </form>
    </Dialog>
  )
}
