import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { booksQuery, useOwnerId } from '../../api/books.ts'
import { listGenerations } from '../../api/generations.ts'
import { useWallet } from '../../app/wallet.ts'
import { mayAct, seesBooks } from '../../app/wallet-rights.ts'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { BalanceCard } from './balance-card.tsx'
import { NextSteps } from './next-steps.tsx'
import { NoticesCard } from './notices-card.tsx'
import { RecentRequests } from './recent-requests.tsx'
import { SpendCard } from './spend-card.tsx'

const recentCount = 8

// Only organizations have these cards, so the first page of a person does not load them.
const OrganizationCards = lazy(async () => ({
  default: (await import('./organization-cards.tsx')).OrganizationCards,
}))

/** Balance, notices, spend, recent requests and next steps; of an organization also its month, if the role sees it. */
export function OverviewPage() {
  const wallet = useWallet()
  const ownerId = useOwnerId(wallet)
  const books = useQuery({ ...booksQuery(ownerId), enabled: seesBooks(wallet) && ownerId !== undefined })
  const recent = useQuery({
    queryKey: ['generations', wallet.organizationId, 'recent'],
    queryFn: () => listGenerations(wallet.query, { limit: recentCount }),
  })
  return (
    <Page title="Overview">
      <div className="flex flex-col gap-4">
        <BalanceCard wallet={wallet} books={books} />
        {seesBooks(wallet) ? <NoticesCard hasNotices={books.data?.has_notices ?? false} /> : null}
        <NextSteps books={books.data} requests={recent.data?.data} />
        {mayAct(wallet, 'organization.read') ? (
          <Suspense fallback={<Skeleton className="h-40 w-full" />}>
            <OrganizationCards />
          </Suspense>
        ) : null}
        <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <SpendCard />
          <RecentRequests recent={recent} />
        </div>
      </div>
    </Page>
  )
}
