import type { ReactNode } from 'react'
import type { Customer } from '../../../api/customers.ts'
import { toNano } from '../../../lib/money.ts'
import { Facts } from '../../../ui/facts.tsx'
import { Money } from '../../../ui/money.tsx'
import { Card } from '../../../ui/page.tsx'

/** Balance, holds and what became of all credit. */
export function WalletCard({ customer: { wallet } }: { readonly customer: Customer }) {
  const balance = toNano(wallet.balance)
  const debt: readonly (readonly [string, ReactNode])[] =
    balance < 0n ? [['Debt', <Money key="debt" nano={-balance} />]] : []
  return (
    <Card title="Wallet">
      <Facts
        facts={[
          ['Balance', <Money key="balance" usd={wallet.balance} />],
          ['On hold', <Money key="held" usd={wallet.held} />],
          ['Available', <Money key="available" usd={wallet.available} />],
          ...debt,
          ['Credit line', <Money key="line" usd={wallet.credit_line} />],
          ['Paid', <Money key="paid" usd={wallet.paid} />],
          ['Granted', <Money key="granted" usd={wallet.granted} />],
          ['Charged', <Money key="charged" usd={wallet.charged} />],
          ['Refunded', <Money key="refunded" usd={wallet.refunded} />],
          ['Wallet ID', <Code key="id" text={wallet.id} />],
        ]}
      />
    </Card>
  )
}

function Code({ text }: { readonly text: string }) {
  return <code className="break-all font-mono text-xs">{text}</code>
}
