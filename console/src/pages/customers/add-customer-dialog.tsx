import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { ApiError } from '../../api/api-error.ts'
import { createEndCustomer, endCustomersKey } from '../../api/end-customers.ts'
import { useWallet } from '../../app/wallet.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { toast } from '../../ui/toast.tsx'
import { type CustomerFields, emptyCustomer, newCustomerBody } from './customer-body.ts'
import { CustomerIdField, CustomerSettingsFields } from './customer-fields.tsx'

/** Whether there is a customer with this ID. */
function isTaken(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 409
}

/** Adds a customer before its first request, to limit it from the beginning. */
export function AddCustomerDialog({ onClose }: { readonly onClose: () => void }) {
  const wallet = useWallet()
  const client = useQueryClient()
  const form = useForm<CustomerFields>({ defaultValues: emptyCustomer })
  const creation = useMutation({
    mutationFn: (fields: CustomerFields) => createEndCustomer(wallet, newCustomerBody(fields)),
    onSuccess: async ({ data }) => {
      onClose()
      toast(`${data.id} added.`)
      await client.invalidateQueries({ queryKey: [endCustomersKey] })
    },
    onError: (error) => {
      if (isTaken(error)) form.setError('id', { message: 'You already have a customer with this ID.' })
    },
  })
  const submit = form.handleSubmit((fields) => creation.mutate(fields))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Add customer"
      description="Requests can also name a new customer. It is then added without limits."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="add-customer" isBusy={creation.isPending}>
            Add customer
          </Button>
        </>
      }
    >
      <form id="add-customer" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {creation.error === null || isTaken(creation.error) ? null : <ErrorNote error={creation.error} />}
        <CustomerIdField form={form} />
        <CustomerSettingsFields form={form} />
      </form>
    </Dialog>
  )
}
