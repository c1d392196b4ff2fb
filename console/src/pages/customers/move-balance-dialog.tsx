import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type BalanceMove, type EndCustomer, endCustomersKey, moveCustomerBalance } from '../../api/end-customers.ts'
import { useWallet } from '../../app/wallet.ts'
import { budgetRule } from '../../lib/budget-rule.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'

const words = {
  customer: {
    title: 'Add money to',
    description: 'Your wallet reserves the money for this customer, whose requests then use only this balance.',
    button: 'Add money',
  },
  wallet: {
    title: 'Take money back from',
    description: 'The money becomes available in your wallet again. Holds of requests in progress stay.',
    button: 'Take money back',
  },
} as const

/** Moves money between the wallet and a customer's balance. */
export function MoveBalanceDialog({
  of: customer,
  to,
  onClose,
}: {
  readonly of: EndCustomer
  readonly to: BalanceMove['to']
  readonly onClose: () => void
}) {
  const wallet = useWallet()
  const client = useQueryClient()
  // A retry with the same key, for example after a lost answer, does not move the money again.
  const [key, setKey] = useState(() => crypto.randomUUID())
  const form = useForm<{ amount: string }>({ defaultValues: { amount: '' } })
  const move = useMutation({
    mutationFn: ({ amount }: { amount: string }) =>
      moveCustomerBalance(wallet, customer.id, { move: { amount: amount.trim(), to }, key }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [endCustomersKey] })
      toast(to === 'customer' ? `Money added to ${customer.id}.` : `Money taken back from ${customer.id}.`)
      onClose()
    },
  })
  const submit = form.handleSubmit((fields) => move.mutate(fields))
  const { title, description, button } = words[to]
  const amountRule = { required: 'Enter an amount.', ...budgetRule, onChange: () => setKey(crypto.randomUUID()) }
  return (
    <Dialog
      isOpen
      isAbove
      onClose={onClose}
      title={`${title} ${customer.id}`}
      description={description}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="move-balance" isBusy={move.isPending}>
            {button}
          </Button>
        </>
      }
    >
      <form id="move-balance" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {move.error === null ? null : <ErrorNote error={move.error} />}
        <TextField
          label="Amount (USD)"
          inputMode="decimal"
          autoComplete="off"
          error={form.formState.errors.amount?.message}
          {...form.register('amount', amountRule)}
        />
      </form>
    </Dialog>
  )
}
