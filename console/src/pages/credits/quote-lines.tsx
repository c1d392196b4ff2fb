import type { ReactNode } from 'react'
import type { PaymentQuote } from '../../api/payments.ts'
import { isNothing } from '../../lib/charged-amount.ts'
import { Charged } from '../../ui/charged.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

const names = { credit: 'Credit', fee: 'Fee', tax: 'Tax' } as const

/** The price breakdown of a card payment. */
export function QuoteLines({ quote }: { readonly quote: PaymentQuote | undefined }) {
  if (quote === undefined) return <Skeleton className="h-32 w-full" />
  const { currency, rate, lines, total } = quote
  const shown = lines.filter(({ item, charged }) => item !== 'tax' || !isNothing(charged))
  return (
    <dl aria-label="Price breakdown" aria-live="polite" className="figures">
      {shown.map(({ item, charged, percent }) => (
        <QuoteRow key={item} label={percent === null ? names[item] : `${names[item]} (${percent}%)`}>
          <Charged amount={charged} currency={currency} />
        </QuoteRow>
      ))}
      <QuoteRow label="Total" isSum>
        <Charged amount={total} currency={currency} />
      </QuoteRow>
      {rate === null ? null : (
        <p className="mt-1 text-muted text-xs">
          $1.00 = {rate} {currency.toUpperCase()}. The rate is locked when you place the order.
        </p>
      )}
    </dl>
  )
}

export function QuoteRow({
  label,
  isSum = false,
  children,
}: {
  readonly label: string
  readonly isSum?: boolean
  readonly children: ReactNode
}) {
  return (
    <div
      className={`flex justify-between gap-4 py-2 ${isSum ? 'border-line-strong border-t font-semibold' : 'border-line border-b last:border-b-0'}`}
    >
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
