import type { EndCustomer } from '../../api/end-customers.ts'
import { toNano } from '../../lib/money.ts'
import { BudgetBar } from '../../ui/budget-bar.tsx'
import { LimitState } from '../../ui/limit-state.tsx'
import { Money } from '../../ui/money.tsx'
import { type CustomerLimit, limitsOf } from './customer-limits.ts'

/** What the customer spent today, this month and in total, each with its limit as a bar. */
export function CustomerLimitList({ of: customer }: { readonly of: EndCustomer }) {
  return (
    <>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {Object.values(limitsOf(customer)).map((limit) => (
          <LimitRow key={limit.id} limit={limit} />
        ))}
      </ul>
      <p className="mt-2 text-muted text-xs">
        Days and months follow UTC. Holds of requests in progress count toward the limits.
      </p>
    </>
  )
}

function LimitRow({ limit: { label, spentLabel, spent, limit } }: { readonly limit: CustomerLimit }) {
  const taken = toNano(spent)
  const whole = limit === null ? null : toNano(limit)
  return (
    <li data-limit={label} className="px-3 py-2.5 text-sm">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="flex min-w-0 flex-1 basis-60 items-center gap-2">
          {spentLabel}
          {whole === null ? null : <LimitState taken={taken} whole={whole} />}
        </span>
        <span>
          <Money nano={taken} short className="font-semibold" />{' '}
          <span className="text-muted">
            {whole === null ? (
              'without a limit'
            ) : (
              <>
                of <Money nano={whole} short />
              </>
            )}
          </span>
        </span>
      </div>
      {whole === null ? null : (
        <div className="mt-1.5">
          <BudgetBar label={label} spent={taken} held={0n} budget={whole} />
        </div>
      )}
    </li>
  )
}
