import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { type RefundWish, refundTopUp } from '../../api/operator.ts'
import type { TopUp } from '../../api/payments.ts'
import { formatCharged } from '../../lib/charged-amount.ts'
import type { ExactNumber } from '../../lib/money.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { CheckField, TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { providerWords } from '../credits/provider-words.ts'
import { refreshMoney } from '../credits/refresh-money.ts'

/** Refunds a payment fully or partly. A second click is the same refund. */
export function RefundDialog({
  order,
  left,
  onClose,
}: {
  readonly order: TopUp
  readonly left: ExactNumber
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  const [key] = useState(() => crypto.randomUUID())
  const form = useForm<RefundWish>({ defaultValues: { amount: String(left), force: false, reason: '' } })
  const shown = formatCharged(left, order.currency)
  const refund = useMutation({
    // A forced refund after an error is a new request, and so is a refund of another amount.
    mutationFn: (wish: RefundWish) => refundTopUp(order.id, wish, `${key}-${wish.amount}-${wish.force}`),
    onSuccess: async () => {
      onClose()
      toast('Refund recorded.')
      await Promise.all([client.invalidateQueries({ queryKey: ['operator'] }), refreshMoney()])
    },
  })
  const submit = form.handleSubmit((wish) => refund.mutate(wish))
  return (
    <Dialog
      isOpen
      isAbove
      onClose={onClose}
      title="Refund payment"
      description={`Up to ${shown} can be refunded.`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" type="submit" form="refund" isBusy={refund.isPending}>
            Refund
          </Button>
        </>
      }
    >
      <form id="refund" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {refund.error === null ? null : <ErrorNote error={refund.error} />}
        {order.provider === 'stripe' ? null : (
          <p className="rounded-md bg-warn-soft px-3 py-2 text-sm">
            This payment ({providerWords(order.provider)}) can't be refunded automatically. Return the money yourself,
            then record the refund here.
          </p>
        )}
        <RefundFields form={form} currency={order.currency} />
      </form>
    </Dialog>
  )
}

function RefundFields({ form, currency }: { readonly form: UseFormReturn<RefundWish>; readonly currency: string }) {
  const { errors } = form.formState
  return (
    <>
      <TextField
        label={`Amount (${currency.toUpperCase()})`}
        inputMode="decimal"
        autoComplete="off"
        hint="Credit, fee, and tax are refunded in proportion. The credit is removed from the balance immediately."
        error={errors.amount?.message}
        {...form.register('amount', {
          pattern: { value: /^\d{1,12}(?:\.\d{1,3})?$/, message: 'Enter an amount, such as 12.50.' },
          required: 'Enter an amount, such as 12.50.',
        })}
      />
      <TextField
        label="Reason"
        autoComplete="off"
        hint="Operators see it with the order. The customer does not."
        error={errors.reason?.message}
        {...form.register('reason', {
          required: 'Enter a reason.',
          maxLength: { value: 500, message: 'Use at most 500 characters.' },
        })}
      />
      <CheckField
        label="Refund even if the balance is too low"
        hint="Credit already spent makes the balance negative. The next top-up covers it first."
        {...form.register('force')}
      />
    </>
  )
}
