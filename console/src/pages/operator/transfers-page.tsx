import { Page } from '../../ui/page.tsx'
import { TransferCard } from './transfer-card.tsx'
import { WriteOffCard } from './write-off-card.tsx'

/** Money that came past the payment provider, and money that will not come. */
export function TransfersPage() {
  return (
    <Page title="Transfers" description="Wallets are named by id, owner's id, mail address or an organization's slug.">
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <TransferCard />
        <WriteOffCard />
      </div>
    </Page>
  )
}
