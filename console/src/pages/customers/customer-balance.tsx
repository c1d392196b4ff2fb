import { useState } from 'react'
import type { EndCustomer } from '../../api/end-customers.ts'
import { toNano } from '../../lib/money.ts'
import { Button } from '../../ui/button.tsx'
import { Money } from '../../ui/money.tsx'
import { CustomerTransfers } from './customer-transfers.tsx'
import { MoveBalanceDialog } from './move-balance-dialog.tsx'

/** The prepaid balance of a customer, and how to change it. */
export function CustomerBalance({
  of: customer,
  mayChange,
}: {
  readonly of: EndCustomer
  readonly mayChange: boolean
}) {
  const [to, setTo] = useState<'customer' | 'wallet' | null>(null)
  const { balance, balance_held: held } = customer
  return (
    <div className="flex flex-col gap-3 rounded-lg border border-line px-3 py-2.5 text-sm">
      {balance === null ? (
        <p className="text-muted">No prepaid balance. Your wallet pays for this customer's requests.</p>
      ) : (
        <p>
          <Money usd={balance} className="font-semibold" />{' '}
          {held === null || toNano(held) === 0n ? null : (
            <span className="text-muted">
              including <Money usd={held} /> on hold for requests in progress
            </span>
          )}
        </p>
      )}
      {mayChange ? (
        <div className="flex gap-2">
          <Button onClick={() => setTo('customer')}>Add money…</Button>
          {balance === null || toNano(balance) === 0n ? null : (
            <Button onClick={() => setTo('wallet')}>Take money back…</Button>
          )}
        </div>
      ) : null}
      <CustomerTransfers customerId={customer.id} />
      {to === null ? null : <MoveBalanceDialog of={customer} to={to} onClose={() => setTo(null)} />}
    </div>
  )
}
