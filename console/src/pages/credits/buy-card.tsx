import { useMutation, useQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { orderTopUp, type PaymentOffer, type PaymentWish, quoteQuery } from '../../api/payments.ts'
import { withStepUp } from '../../api/step-up.ts'
import { formatCharged } from '../../lib/charged-amount.ts'
import { formatUsd, toNano } from '../../lib/money.ts'
import { useSettled } from '../../lib/use-settled.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { CheckField, SelectField, TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { firstWish, payIn, providersFor } from './choose-payment.ts'
import { judgeAmount, usualAmounts } from './judge-amount.ts'
import { providerWords } from './provider-words.ts'
import { QuoteLines } from './quote-lines.tsx'

/** An amount, its price breakdown, and a button that opens the provider's payment page. */
export function BuyCard({ ownerId, offer }: { readonly ownerId: string; readonly offer: PaymentOffer }) {
  const [wish, setWish] = useState(() => firstWish(offer))
  const fault = judgeAmount(wish.amount, offer)
  const settled = useSettled(wish.amount)
  const quote = useQuery({
    ...quoteQuery(ownerId, { amount: settled, currency: wish.currency }),
    enabled: judgeAmount(settled, offer) === null,
  })
  const order = useOrder(ownerId, wish)
  const isTest = offer.providers.some(({ name, test }) => name === wish.provider && test)
  const isQuoted = fault === null && settled === wish.amount && quote.data !== undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isQuoted) order.mutate()
  }
  return (
    <Card title="Buy credit" aside={isTest ? <Badge tone="accent">Test mode</Badge> : undefined}>
      <form className="flex flex-col gap-4" onSubmit={submit} noValidate>
        {isTest ? <TestNote /> : null}
        <AmountFields offer={offer} wish={wish} fault={fault} onChange={setWish} />
        {providersFor(offer, wish.currency).some((one) => one.name === wish.provider && one.saves_methods) ? (
          <CheckField
            label="Save this card"
            hint="For automatic top-ups. The payment provider stores the card; Weir sees only its brand, last four digits, and expiry date."
            checked={wish.isSaving}
            onChange={({ target }) => setWish({ ...wish, isSaving: target.checked })}
          />
        ) : null}
        {quote.error === null ? null : <ErrorNote error={quote.error} onRetry={() => void quote.refetch()} />}
        {fault === null && quote.error === null ? <QuoteLines quote={isQuoted ? quote.data : undefined} /> : null}
        {order.error === null ? null : <ErrorNote error={order.error} />}
        <div className="flex flex-wrap items-center gap-3">
          <Button
            kind="primary"
            type="submit"
            disabled={!isQuoted}
            isBusy={order.isPending || order.isSuccess}
            icon={<ExternalLink size={15} aria-hidden="true" />}
          >
            {isQuoted ? `Pay ${formatCharged(quote.data.total, quote.data.currency)}` : 'Pay'}
          </Button>
          <p className="min-w-0 flex-1 text-muted text-xs">
            You'll pay on the payment provider's page, then return here. Weir never sees your card number.
          </p>
        </div>
      </form>
    </Card>
  )
}

/** One idempotency key per purchase: a second click or a retry after a failure is the same order. */
function useOrder(ownerId: string, wish: PaymentWish) {
  const [key, setKey] = useState({ wish: '', id: '' })
  return useMutation({
    mutationFn: async () => {
      const wished = `${ownerId} ${wish.amount} ${wish.currency} ${wish.provider} ${wish.isSaving}`
      const id = key.wish === wished ? key.id : crypto.randomUUID()
      setKey({ wish: wished, id })
      const { checkout_url: page } = await withStepUp(() => orderTopUp(ownerId, wish, id))
      if (page === null) throw new Error('This order can no longer be paid. Change the amount to create a new order.')
      location.assign(page)
    },
  })
}

function TestNote() {
  return (
    <p className="rounded-md bg-warn-soft px-3 py-2 text-sm">
      Payments are in test mode. No money moves and real cards are declined, but you can spend the credit here.
    </p>
  )
}

function AmountFields({
  offer,
  wish,
  fault,
  onChange,
}: {
  readonly offer: PaymentOffer
  readonly wish: PaymentWish
  readonly fault: string | null
  readonly onChange: (wish: PaymentWish) => void
}) {
  const hint = `${formatUsd(toNano(offer.credit_min))} to ${formatUsd(toNano(offer.credit_max))}`
  return (
    <>
      <div className="flex flex-wrap gap-2" role="group" aria-label="Suggested amounts">
        {usualAmounts(offer).map((amount) => (
          <Button
            key={amount}
            size="small"
            aria-pressed={wish.amount === amount}
            className={wish.amount === amount ? 'ring-1 ring-accent' : ''}
            onClick={() => onChange({ ...wish, amount })}
          >
            ${amount}
          </Button>
        ))}
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Credit amount (USD)"
          inputMode="decimal"
          autoComplete="off"
          hint={hint}
          error={fault ?? undefined}
          value={wish.amount}
          onChange={({ target }) => onChange({ ...wish, amount: target.value.trim() })}
        />
        {offer.currencies.length > 1 ? (
          <SelectField
            label="Currency"
            choices={offer.currencies.map((value) => ({ value, label: value.toUpperCase() }))}
            value={wish.currency}
            onChange={({ target }) => onChange(payIn(offer, wish, target.value))}
          />
        ) : null}
        {providersFor(offer, wish.currency).length > 1 ? (
          <SelectField
            label="Payment provider"
            choices={providersFor(offer, wish.currency).map(({ name }) => ({
              value: name,
              label: providerWords(name),
            }))}
            value={wish.provider}
            onChange={({ target }) => onChange({ ...wish, provider: target.value, isSaving: false })}
          />
        ) : null}
      </div>
    </>
  )
}
