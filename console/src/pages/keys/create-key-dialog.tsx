import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { api, dataOf } from '../../api/client.ts'
import { type KeyHolder, managedOrganization, ownKeysQuery } from '../../api/keys.ts'
import { keyHolderOf } from '../../app/key-holder.ts'
import { withStepUp } from '../../api/step-up.ts'
import type { Wallet } from '../../app/wallet.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { KeyOwnerFields } from './key-owner-fields.tsx'
import { emptyKey, type KeyFields, keyPlaceBody, newKeyBody } from './new-key-body.ts'
import { NewKeyFields } from './new-key-fields.tsx'
import { KeySecretDialog } from './key-secret-dialog.tsx'

/** Creates a key, then shows its secret once. The secret is kept only in this component and by `onCreated`. */
export function CreateKeyDialog({
  wallet,
  onCreated,
  onClose,
}: {
  readonly wallet: Wallet
  readonly onCreated?: (secret: string) => void
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  const holder = keyHolderOf(wallet)
  const managed = managedOrganization(holder)
  const form = useForm<KeyFields>({ defaultValues: emptyKey })
  const creation = useMutation({
    mutationFn: (fields: KeyFields) => withStepUp(() => createKey(holder, fields)),
    onSuccess: ({ key, keyType }) => {
      if (keyType === 'standard') onCreated?.(key)
      return client.invalidateQueries({ queryKey: ['keys'] })
    },
    gcTime: 0,
  })
  if (creation.data !== undefined) {
    return (
      <KeySecretDialog secret={creation.data.key} isStandard={creation.data.keyType === 'standard'} onClose={onClose} />
    )
  }
  const submit = form.handleSubmit((fields) => creation.mutate(fields))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Create API key"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="create-key" isBusy={creation.isPending}>
            Create key
          </Button>
        </>
      }
    >
      <form id="create-key" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {creation.error === null ? null : <ErrorNote error={creation.error} />}
        <NewKeyFields form={form} hasKinds={wallet.kind === 'person' || managed !== null} />
        {managed === null || form.watch('kind') === 'management' ? null : (
          <KeyOwnerFields form={form} organizationId={managed} mayShare={wallet.role === 'org_admin'} />
        )}
      </form>
    </Dialog>
  )
}

function createKey(holder: KeyHolder, fields: KeyFields) {
  const body = newKeyBody(fields, Date.now())
  const orgId = managedOrganization(holder)
  if (orgId === null) return dataOf(api.POST('/v1/keys', { params: { query: ownKeysQuery(holder) }, body }))
  const placed = { ...body, ...keyPlaceBody(fields) }
  return dataOf(api.POST('/v1/orgs/{orgId}/keys', { params: { path: { orgId } }, body: placed }))
}
