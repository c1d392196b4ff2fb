import { useQuery } from '@tanstack/react-query'
import { consoleStateQuery } from '../../api/console-state.ts'
import { shownView } from '../../api/shown-view.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { DeleteAccountCard } from './delete-account-card.tsx'
import { OwnDataCard } from './own-data-card.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { ProfileCard } from './profile-card.tsx'
import { SecondFactorCard } from './second-factor-card.tsx'
import { SessionsCard } from './sessions-card.tsx'

export function SettingsPage() {
  const { data } = useQuery(consoleStateQuery)
  if (shownView() !== null) {
    return (
      <Page title="Settings">
        <EmptyState title="Hidden in this view">Only the customer sees their sign-in methods and sessions.</EmptyState>
      </Page>
    )
  }
  return (
    <Page title="Settings" description="Your profile, sign-in methods, sessions, and data.">
      <div className="flex max-w-3xl flex-col gap-4">
        <ProfileCard />
        <PasswordCard />
        {data?.sign_in.second_factor === true ? <SecondFactorCard /> : null}
        {data?.sign_in.passkeys === true ? <PasskeysCard /> : null}
        <SessionsCard />
        <OwnDataCard />
        <DeleteAccountCard />
      </div>
    </Page>
  )
}
