import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { operatorSelfQuery } from '../../api/operator-self.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { askForStepUp } from '../../api/step-up.ts'
import { SecondFactorOffer } from './second-factor-offer.tsx'

/** The pages below open for people with a role as an operator, in a session that began with a second factor. */
export function OperatorPage() {
  const self = useQuery(operatorSelfQuery)
  if (self.data?.role != null && self.data.secondFactor && !self.data.signInExpired) return <Outlet />
  return (
    <Page title="Operator console" description="Health, supply, prices and money of the whole installation.">
      {self.error === null ? null : <ErrorNote error={self.error} onRetry={() => void self.refetch()} />}
      {self.data !== undefined ? (
        <Missing self={self.data} />
      ) : self.error === null ? (
        <Skeleton className="h-40 w-full max-w-2xl" />
      ) : null}
    </Page>
  )
}

interface Self {
  readonly role: string | null
  readonly secondFactor: boolean
}

/** What the person needs first. */
function Missing({ self: { role, secondFactor } }: { readonly self: Self }) {
  if (role === null) {
    return (
      <Card title="You're not an operator" className="max-w-2xl">
        <p className="text-sm">
          Ask an owner of this installation to add you. On the server, <code>weir operator add</code> adds the first
          one.
        </p>
      </Card>
    )
  }
  if (!secondFactor) return <SecondFactorOffer />
  return (
    <Card title="Sign in again" className="max-w-2xl">
      <div className="flex flex-col items-start gap-4">
        <p className="text-sm">You signed in more than 8 hours ago. Operators sign in again after 8 hours.</p>
        <Button kind="primary" onClick={() => void askForStepUp()}>
          Sign in again
        </Button>
      </div>
    </Card>
  )
}
