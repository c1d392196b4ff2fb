import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import {
  changeProvider,
  enableProvider,
  type NewProvider,
  type Provider,
  type ProviderTerms,
  providersQuery,
  replaceProviderKey,
} from '../../../api/supply.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { TextField } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.tsx'
import { newProvider, ProviderTermsFields } from './provider-terms-fields.tsx'

interface DialogProps {
  readonly provider: Provider
  readonly onClose: () => void
}

/** Runs a change of an account, then closes the dialog and reads the accounts again. */
function useProviderChange<Input>({
  change,
  done,
  onClose,
}: {
  readonly change: (input: Input) => Promise<unknown>
  readonly done: string
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      onClose()
      toast(done)
      await client.invalidateQueries({ queryKey: providersQuery.queryKey })
    },
    gcTime: 0,
  })
}

/** Replaces the key. Requests in progress finish with the old one. */
export function ReplaceKeyDialog({ provider: { name }, onClose }: DialogProps) {
  const form = useForm({ defaultValues: { key: '' } })
  const replacing = useProviderChange({
    change: ({ key }: { key: string }) => replaceProviderKey(name, key),
    done: 'Key replaced.',
    onClose,
  })
  const submit = form.handleSubmit((values) => replacing.mutate(values))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Replace the key of ${name}`}
      description="New requests use the new key within a second. Requests in progress finish with the old one."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="replace-key" isBusy={replacing.isPending}>
            Replace key
          </Button>
        </>
      }
    >
      <form id="replace-key" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {replacing.error === null ? null : <ErrorNote error={replacing.error} />}
        <TextField
          label="New key"
          type="password"
          autoComplete="off"
          className="font-mono"
          error={form.formState.errors.key?.message}
          {...form.register('key', { required: 'Enter the new key.' })}
        />
      </form>
    </Dialog>
  )
}

export function ProviderTermsDialog({ provider, onClose }: DialogProps) {
  const form = useForm<NewProvider>({ defaultValues: { ...newProvider, ...termsOf(provider) } })
  const saving = useProviderChange({
    change: (terms: ProviderTerms) => changeProvider(provider.name, terms),
    done: 'Settings saved.',
    onClose,
  })
  const submit = form.handleSubmit((terms) => saving.mutate(terms))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Edit ${provider.name}`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="provider-terms" isBusy={saving.isPending}>
            Save changes
          </Button>
        </>
      }
    >
      <form id="provider-terms" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {saving.error === null ? null : <ErrorNote error={saving.error} />}
        <ProviderTermsFields form={form} />
      </form>
    </Dialog>
  )
}

function termsOf({ weight, keepsPrompts, variant, discountPercent }: Provider): ProviderTerms {
  return {
    weight: Number(weight),
    keepsPrompts: keepsPrompts === null ? 'provider' : keepsPrompts ? 'yes' : 'no',
    variant,
    discount: String(discountPercent),
  }
}

/** Takes an account out of routing, or lets it in again. */
export function EnableProviderDialog({ provider: { name, enabled }, onClose }: DialogProps) {
  const switching = useProviderChange({
    change: () => enableProvider(name, !enabled),
    done: enabled ? `${name} disabled.` : `${name} enabled.`,
    onClose,
  })
  return (
    <ConfirmDialog
      title={enabled ? `Disable ${name}?` : `Enable ${name}?`}
      text={
        enabled
          ? 'New requests go to other accounts within a second, or fail if no other account serves their model. Its routes and its key stay.'
          : 'New requests go to the account again within a second.'
      }
      act={enabled ? 'Disable' : 'Enable'}
      mutation={{ ...switching, mutate: () => switching.mutate(undefined) }}
      onClose={onClose}
    />
  )
}
