import { useOrganization } from '../../app/wallet.ts'
import { Page } from '../../ui/page.tsx'
import { ConnectionsCard } from './connections-card.tsx'
import { DomainsCard } from './domains-card.tsx'
import { GroupsCard } from './groups-card.tsx'

/** How people of an organization sign in through its identity provider. */
export function SignOnPage() {
  const { organizationId, name } = useOrganization()
  return (
    <Page
      title="Single sign-on"
      description={`Let people sign in to ${name} through your identity provider. They become members at their first sign-in.`}
    >
      <div key={organizationId} className="flex flex-col gap-4">
        <DomainsCard organizationId={organizationId} />
        <ConnectionsCard organizationId={organizationId} />
        <GroupsCard organizationId={organizationId} />
      </div>
    </Page>
  )
}
