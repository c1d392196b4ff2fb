import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import type { Key } from '../../api/keys.ts'
import { useKeyHolder } from '../../app/key-holder.ts'
import { withStepUp } from '../../api/step-up.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { toast } from '../../ui/toast.tsx'
import { changeKey } from './change-key.ts'
import { fieldsOfKey, keyChangeBody } from './key-change-body.ts'
import type { KeyFields } from './new-key-body.ts'
import { KeyCacheField, KeyLimitFields, KeyNetworksField } from './new-key-fields.tsx'

/** Changes the spend limit, the allowed addresses and the response cache of a key. Its name and secret stay. */
export function EditKeyDialog({ of: key, onClose }: { readonly of: Key; readonly onClose: () => void }) {
  const client = useQueryClient()
  const holder = useKeyHolder()
  const form = useForm<KeyFields>({ defaultValues: fieldsOfKey(key) })
  const change = useMutation({
    mutationFn: (fields: KeyFields) => withStepUp(() => changeKey(holder, key.id, keyChangeBody(key, fields))),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['keys'] })
      toast(`${key.name} saved.`)
      onClose()
    },
  })
  const submit = form.handleSubmit((fields) => change.mutate(fields))
  return (
    <Dialog
      isOpen
      isAbove
      onClose={onClose}
      title={`Edit ${key.name}`}
      description="New settings apply to the key's next request."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="edit-key" isBusy={change.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form id="edit-key" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {change.error === null ? null : <ErrorNote error={change.error} />}
        {key.keyType === 'standard' ? <KeyLimitFields form={form} /> : null}
        <KeyNetworksField form={form} />
        {key.keyType === 'standard' ? <KeyCacheField form={form} /> : null}
      </form>
    </Dialog>
  )
}
