import type { ReactNode } from 'react'
import type { TopUp } from '../../api/payments.ts'
import { isNothing } from '../../lib/charged-amount.ts'
import { toNano } from '../../lib/money.ts'
import { Charged } from '../../ui/charged.tsx'
import { Money } from '../../ui/money.tsx'
import { Time } from '../../ui/time.tsx'
import { OrderState } from './order-state.tsx'
import { providerWords } from './provider-words.ts'
import { QuoteRow } from './quote-lines.tsx'
import { mismatchWords, stateWords } from './state-words.ts'

/** All details of an order: state, price breakdown, payments and refunds. */
export function OrderDetails({ order }: { readonly order: TopUp }) {
  return (
    <div className="flex flex-col gap-6 text-sm">
      <div>
        <OrderState order={order} />
        <p className="mt-2">
          {order.mismatch === null ? stateWords(order.state).meaning : mismatchWords(order.mismatch)}
        </p>
        {order.test ? <p className="mt-1 text-muted">Test payment. No money moved.</p> : null}
      </div>
      <Lines order={order} />
      <Facts order={order} />
    </div>
  )
}

function Lines({ order }: { readonly order: TopUp }) {
  const { credit, fee, tax, total, currency, rate } = order
  return (
    <section aria-labelledby="order-lines">
      <h3 id="order-lines" className="mb-1 font-semibold">
        Order summary
      </h3>
      <dl className="figures">
        <QuoteRow label="Credit">
          <Money usd={credit} />
        </QuoteRow>
        <QuoteRow label="Fee">
          <Money usd={fee} />
        </QuoteRow>
        {toNano(tax) === 0n ? null : (
          <QuoteRow label="Tax">
            <Money usd={tax} />
          </QuoteRow>
        )}
        <QuoteRow label={rate === null ? 'Total' : `Total ($1.00 = ${rate} ${currency.toUpperCase()})`} isSum>
          <Charged amount={total} currency={currency} />
        </QuoteRow>
      </dl>
    </section>
  )
}

function Facts({ order }: { readonly order: TopUp }) {
  const { currency, paid, refunded, disputed, credited, provider } = order
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Amount paid', <Charged amount={paid} currency={currency} />],
    ['Credit added', <Money usd={credited} />],
    ...(isNothing(refunded) ? [] : [['Refunded', <Charged amount={refunded} currency={currency} />] as const]),
    ...(isNothing(disputed) ? [] : [['Disputed', <Charged amount={disputed} currency={currency} />] as const]),
    ['Payment provider', providerWords(provider)],
    ...(order.reference === null ? [] : [['Reference', order.reference] as const]),
    ['Created', <Time iso={order.created_at} absolute />],
    ['Paid at', order.paid_at === null ? 'Not paid' : <Time iso={order.paid_at} absolute />],
  ]
  return (
    <dl className="figures grid grid-cols-2 gap-x-6 gap-y-3">
      {facts.map(([label, value]) => (
        <div key={label} className="min-w-0">
          <dt className="text-muted text-xs">{label}</dt>
          <dd className="mt-0.5 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
