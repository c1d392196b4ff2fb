import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { changeEndCustomer, type EndCustomer, endCustomersKey } from '../../api/end-customers.ts'
import { useWallet } from '../../app/wallet.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { toast } from '../../ui/toast.tsx'
import { customerChangeBody, type CustomerFields, fieldsOfCustomer } from './customer-body.ts'
import { CustomerSettingsFields } from './customer-fields.tsx'

/** Changes the name, the limits and the markup of a customer. Its ID stays. */
export function EditCustomerDialog({
  of: customer,
  onClose,
}: {
  readonly of: EndCustomer
  readonly onClose: () => void
}) {
  const wallet = useWallet()
  const client = useQueryClient()
  const form = useForm<CustomerFields>({ defaultValues: fieldsOfCustomer(customer) })
  const change = useMutation({
    mutationFn: (fields: CustomerFields) =>
      changeEndCustomer(wallet, customer.id, customerChangeBody(customer, fields)),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [endCustomersKey] })
      toast(`${customer.id} saved.`)
      onClose()
    },
  })
  const submit = form.handleSubmit((fields) => change.mutate(fields))
  return (
    <Dialog
      isOpen
      isAbove
      onClose={onClose}
      title={`Edit ${customer.id}`}
      description="New limits usually apply at once, and within 15 seconds at the latest. A new markup doesn't change earlier prices."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="edit-customer" isBusy={change.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form id="edit-customer" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {change.error === null ? null : <ErrorNote error={change.error} />}
        <CustomerSettingsFields form={form} />
      </form>
    </Dialog>
  )
}
