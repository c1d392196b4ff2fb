import { Page } from '../../ui/page.tsx'
import { TransferCard } from './transfer-card.tsx'
import { WriteOffCard } from './write-off-card.tsx'

/** Payments that bypassed the payment provider, and write-offs. */
export function TransfersPage() {
  return (
    <Page
      title="Bank transfers and write-offs"
      description="Identify an account by its ID, its owner's ID, an email address, or an organization slug."
    >
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <TransferCard />
        <WriteOffCard />
      </div>
    </Page>
  )
}
