import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { type BankTransfer, bookTransfer } from '../../api/operator.ts'
import { Button } from '../../ui/button.tsx'
import { Charged } from '../../ui/charged.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Money } from '../../ui/money.tsx'
import { Card } from '../../ui/page.tsx'
import { amountRule } from '../../lib/amount-rule.ts'
import { refreshMoney } from '../credits/refresh-money.ts'

const nothing: BankTransfer = { wallet: '', amount: '', reference: '', channel: 'usd' }

const channels = [
  { value: 'usd', label: 'US dollars' },
  { value: 'local', label: 'Local currency, with tax' },
]

/** Books a bank transfer. Its reference keeps it from being booked twice. */
export function TransferCard() {
  const client = useQueryClient()
  const form = useForm<BankTransfer>({ defaultValues: nothing })
  const booking = useMutation({
    mutationFn: bookTransfer,
    onSuccess: async () => {
      form.reset()
      await Promise.all([client.invalidateQueries({ queryKey: ['operator'] }), refreshMoney()])
    },
  })
  const { errors } = form.formState
  const submit = form.handleSubmit((transfer) => booking.mutate(transfer))
  return (
    <Card title="Record a bank transfer">
      <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {booking.error === null ? null : <ErrorNote error={booking.error} />}
        {booking.data === undefined ? null : (
          <p role="status" className="rounded-md bg-good-soft px-3 py-2 text-sm">
            <Money usd={booking.data.credited} /> credited for a payment of{' '}
            <Charged amount={booking.data.total} currency={booking.data.currency} />.{' '}
            <Link
              to="/operator/orders/$topUpId"
              params={{ topUpId: booking.data.id }}
              className="underline underline-offset-4"
            >
              View order
            </Link>
          </p>
        )}
        <TextField
          label="Customer"
          autoComplete="off"
          error={errors.wallet?.message}
          {...form.register('wallet', { required: 'Enter a customer.' })}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Credit (USD)"
            inputMode="decimal"
            autoComplete="off"
            error={errors.amount?.message}
            {...form.register('amount', amountRule(2))}
          />
          <SelectField label="Received in" choices={channels} {...form.register('channel')} />
        </div>
        <TextField
          label="Reference"
          autoComplete="off"
          hint="Such as an invoice number. Submitting the same reference twice records one transfer."
          error={errors.reference?.message}
          {...form.register('reference', { required: 'Enter a reference.', maxLength: 100 })}
        />
        <div>
          <Button kind="primary" type="submit" isBusy={booking.isPending}>
            Record transfer
          </Button>
        </div>
      </form>
    </Card>
  )
}
