import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { addProvider, type NewProvider, providersQuery } from '../../../api/supply.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { TextField } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.tsx'
import { newProvider, ProviderTermsFields } from './provider-terms-fields.tsx'

/** Adds an account. Its key is stored encrypted and never shown again. */
export function AddProviderDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const form = useForm<NewProvider>({ defaultValues: newProvider })
  const adding = useMutation({
    mutationFn: addProvider,
    onSuccess: async ({ name }) => {
      toast(`${name} added.`)
      await client.invalidateQueries({ queryKey: providersQuery.queryKey })
      await navigate({ to: '/operator/providers/$accountName', params: { accountName: name } })
    },
    gcTime: 0,
  })
  const { register, formState } = form
  const submit = form.handleSubmit((provider) => adding.mutate(provider))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Add provider account"
      description="Gateways use the account within a second, for every model that the provider sells in the catalog."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="add-provider" isBusy={adding.isPending}>
            Add account
          </Button>
        </>
      }
    >
      <form id="add-provider" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {adding.error === null ? null : <ErrorNote error={adding.error} />}
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Provider"
            placeholder="openai"
            autoComplete="off"
            error={formState.errors.vendor?.message}
            {...register('vendor', { required: 'Enter a provider, such as openai.' })}
          />
          <TextField
            label="Account name (optional)"
            hint="Needed for a second account."
            autoComplete="off"
            {...register('name')}
          />
        </div>
        <TextField
          label="Key"
          type="password"
          autoComplete="off"
          className="font-mono"
          hint="Stored encrypted and never shown again."
          {...register('key')}
        />
        <TextField
          label="Base URL (optional)"
          type="url"
          hint="Only for your own server or a regional endpoint."
          {...register('baseUrl')}
        />
        <ProviderTermsFields form={form} />
      </form>
    </Dialog>
  )
}
