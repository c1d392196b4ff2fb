import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type Debt, writeOff } from '../../api/operator.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { TextField } from '../../ui/field.tsx'
import { Money } from '../../ui/money.tsx'
import { Card } from '../../ui/page.tsx'
import { amountRule } from '../../lib/amount-rule.ts'
import { refreshMoney } from '../credits/refresh-money.ts'

const nothing: Debt = { wallet: '', amount: '', note: '' }

/** Gives up what a wallet below zero owes. */
export function WriteOffCard() {
  const [key, setKey] = useState(() => crypto.randomUUID())
  const form = useForm<Debt>({ defaultValues: nothing })
  const booking = useMutation({
    mutationFn: (debt: Debt) => writeOff(debt, key),
    onSuccess: async () => {
      form.reset()
      setKey(crypto.randomUUID())
      await refreshMoney()
    },
  })
  const { errors } = form.formState
  const submit = form.handleSubmit((debt) => booking.mutate(debt))
  return (
    <Card title="Give up a debt">
      <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {booking.error === null ? null : <ErrorNote error={booking.error} />}
        {booking.data === undefined ? null : (
          <p role="status" className="rounded-md bg-good-soft px-3 py-2 text-sm">
            Booked. The wallet has <Money usd={booking.data.balanceUsd} /> now.
          </p>
        )}
        <TextField
          label="Wallet"
          autoComplete="off"
          error={errors.wallet?.message}
          {...form.register('wallet', { required: 'Whose wallet?' })}
        />
        <TextField
          label="Debt to give up, USD"
          inputMode="decimal"
          autoComplete="off"
          hint="At most what the wallet owes."
          error={errors.amount?.message}
          {...form.register('amount', amountRule(9))}
        />
        <TextField
          label="Why"
          autoComplete="off"
          hint="It is in the audit log of the platform."
          error={errors.note?.message}
          {...form.register('note', { required: 'Say why.', maxLength: 500 })}
        />
        <div>
          <Button kind="danger" type="submit" isBusy={booking.isPending}>
            Give up debt
          </Button>
        </div>
      </form>
    </Card>
  )
}
