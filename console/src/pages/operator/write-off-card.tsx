import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { customerQuery } from '../../api/customers.ts'
import { type Debt, writeOff } from '../../api/operator.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Money } from '../../ui/money.tsx'
import { Card } from '../../ui/page.tsx'
import { amountRule } from '../../lib/amount-rule.ts'
import { refreshMoney } from '../credits/refresh-money.ts'
import { nameOfCustomer } from './customers/name-of-customer.ts'

const nothing: Debt = { wallet: '', amount: '', note: '' }

/** Writes off the debt of a wallet with a negative balance. */
export function WriteOffCard() {
  const [key, setKey] = useState(() => crypto.randomUUID())
  const form = useForm<Debt>({ defaultValues: nothing })
  const [asked, setAsked] = useState<Debt | null>(null)
  const booking = useMutation({
    mutationFn: (debt: Debt) => writeOff(debt, key),
    onSuccess: async () => {
      setAsked(null)
      form.reset()
      setKey(crypto.randomUUID())
      await refreshMoney()
    },
  })
  const customer = useQuery({ ...customerQuery(asked?.wallet ?? ''), enabled: asked !== null })
  const { errors } = form.formState
  const submit = form.handleSubmit((debt) => {
    booking.reset()
    setAsked(debt)
  })
  return (
    <Card title="Write off a negative balance">
      <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {booking.data === undefined ? null : (
          <p role="status" className="rounded-md bg-good-soft px-3 py-2 text-sm">
            Amount written off. The balance is now <Money usd={booking.data.balanceUsd} />.
          </p>
        )}
        <TextField
          label="Customer"
          autoComplete="off"
          error={errors.wallet?.message}
          {...form.register('wallet', { required: 'Enter a customer.' })}
        />
        <TextField
          label="Amount (USD)"
          inputMode="decimal"
          autoComplete="off"
          hint="Can't exceed the customer's negative balance."
          error={errors.amount?.message}
          {...form.register('amount', amountRule(9))}
        />
        <TextField
          label="Reason"
          autoComplete="off"
          hint="Recorded in the platform audit log."
          error={errors.note?.message}
          {...form.register('note', { required: 'Enter a reason.', maxLength: 500 })}
        />
        <div>
          <Button kind="danger" type="submit">
            Write off…
          </Button>
        </div>
      </form>
      {asked === null ? null : (
        <ConfirmDialog
          title="Write off this amount?"
          text={`${asked.amount} USD is written off for ${customer.data === undefined ? asked.wallet : nameOfCustomer(customer.data)} and no longer collected.`}
          act="Write off"
          mutation={{ ...booking, mutate: () => booking.mutate(asked) }}
          onClose={() => setAsked(null)}
        />
      )}
    </Card>
  )
}
