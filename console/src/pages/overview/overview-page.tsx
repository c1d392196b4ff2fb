import { useQuery } from '@tanstack/react-query'
import { booksQuery, useOwnerId } from '../../api/books.ts'
import { listGenerations } from '../../api/generations.ts'
import { useWallet } from '../../app/wallet.ts'
import { mayAct } from '../../app/wallet-rights.ts'
import { Page } from '../../ui/page.tsx'
import { BalanceCard } from './balance-card.tsx'
import { NextSteps } from './next-steps.tsx'
import { OrganizationCards } from './organization-cards.tsx'
import { RecentRequests } from './recent-requests.tsx'
import { SpendCard } from './spend-card.tsx'

const recentCount = 8

/** Balance, spend, recent requests and next steps; of an organization also its month, if the role sees it. */
export function OverviewPage() {
  const wallet = useWallet()
  const books = useQuery(booksQuery(useOwnerId(wallet)))
  const recent = useQuery({
    queryKey: ['generations', wallet.organizationId, 'recent'],
    queryFn: () => listGenerations(wallet.query, { limit: recentCount }),
  })
  return (
    <Page title="Overview">
      <div className="flex flex-col gap-4">
        <BalanceCard wallet={wallet} books={books} />
        <NextSteps books={books.data} requests={recent.data?.data} />
        {mayAct(wallet, 'organization.read') ? <OrganizationCards /> : null}
        <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <SpendCard />
          <RecentRequests recent={recent} />
        </div>
      </div>
    </Page>
  )
}
