import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type CreditWish, creditCustomer, type Customer } from '../../../api/customers.ts'
import { amountRule } from '../../../lib/amount-rule.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.tsx'
import { refreshMoney } from '../../credits/refresh-money.ts'
import { nameOfCustomer } from './name-of-customer.ts'

const sources = [
  { value: 'grant', label: 'Grant, without payment' },
  { value: 'usd', label: 'Payment in US dollars' },
  { value: 'local', label: 'Payment in local currency, with tax' },
]

/** Credits a wallet by hand, with a reason. A second click with the same form is the same credit. */
export function CreditDialog({ customer, onClose }: { readonly customer: Customer; readonly onClose: () => void }) {
  const client = useQueryClient()
  const [key] = useState(() => crypto.randomUUID())
  const form = useForm<CreditWish>({ defaultValues: { amount: '', source: 'grant', note: '' } })
  const credit = useMutation({
    mutationFn: (wish: CreditWish) => creditCustomer(customer.wallet_id, wish, key),
    onSuccess: async () => {
      onClose()
      toast('Credit added.')
      await Promise.all([client.invalidateQueries({ queryKey: ['operator'] }), refreshMoney()])
    },
  })
  const { errors } = form.formState
  const submit = form.handleSubmit((wish) => credit.mutate(wish))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Add credit"
      description={`To the wallet of ${nameOfCustomer(customer)}.`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="credit" isBusy={credit.isPending}>
            Add credit
          </Button>
        </>
      }
    >
      <form id="credit" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {credit.error === null ? null : <ErrorNote error={credit.error} />}
        <TextField
          label="Amount (USD)"
          inputMode="decimal"
          autoComplete="off"
          error={errors.amount?.message}
          {...form.register('amount', amountRule(9))}
        />
        <SelectField label="Source" choices={sources} {...form.register('source')} />
        <TextField
          label="Reason"
          autoComplete="off"
          hint="Stored with the transaction and in the audit log."
          error={errors.note?.message}
          {...form.register('note', { required: 'Enter a reason.', maxLength: 500 })}
        />
      </form>
    </Dialog>
  )
}
