import { getRouteApi } from '@tanstack/react-router'
import { useOwnerId } from '../../api/books.ts'
import { TabFrame } from '../../app/tab-frame.tsx'
import { useWallet, type Wallet } from '../../app/wallet.ts'
import { mayPay } from '../../app/wallet-rights.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AlertsCard } from './alerts-card.tsx'
import { AutoTopUpCard } from './auto-top-up-card.tsx'
import { CardsCard } from './cards-card.tsx'
import { ProfileCard } from './profile-card.tsx'

const route = getRouteApi('/app/billing')

/** Payment methods and billing details of a wallet. */
export function BillingPage() {
  const wallet = useWallet()
  const ownerId = useOwnerId(wallet)
  return (
    <TabFrame title="Billing" tab="Payment" description="Saved cards, automatic top-up, alerts, and billing details.">
      {ownerId === undefined ? <Skeleton className="h-64 w-full" /> : <Settings wallet={wallet} ownerId={ownerId} />}
    </TabFrame>
  )
}

function Settings({ wallet, ownerId }: { readonly wallet: Wallet; readonly ownerId: string }) {
  const { card } = route.useSearch()
  const pays = mayPay(wallet)
  return (
    <>
      {card === undefined ? null : (
        <p role="status" className="mb-4 rounded-md border border-line bg-accent-soft px-4 py-3 text-sm">
          {card === 'saved' ? 'Card saved.' : 'Card not saved.'}
        </p>
      )}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <CardsCard ownerId={ownerId} mayChange={pays} />
          <AutoTopUpCard ownerId={ownerId} mayChange={pays} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <AlertsCard ownerId={ownerId} mayChange={pays} hasBudgets={wallet.kind === 'organization'} />
          <ProfileCard ownerId={ownerId} mayChange={pays} />
        </div>
      </div>
    </>
  )
}
