import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { consoleStateQuery } from '../../api/console-state.ts'
import { operatorSelfQuery } from '../../api/operator-self.ts'
import { sessionQuery } from '../../api/session.ts'
import { askForStepUp } from '../../api/step-up.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'

const SecondFactorDialog = lazy(() => import('../settings/second-factor-dialog.tsx'))

/** For an operator whose session began without a second factor: sets one up, or signs in again with it. */
export function SecondFactorOffer() {
  const client = useQueryClient()
  const { data: session } = useQuery(sessionQuery)
  const { data: state } = useQuery(consoleStateQuery)
  const [isOpen, setOpen] = useState(false)
  const hasApp = session?.user.twoFactorEnabled === true
  const close = () => {
    setOpen(false)
    void client.invalidateQueries({ queryKey: operatorSelfQuery.queryKey })
  }
  return (
    <Card title="Operators sign in with a second factor" className="max-w-2xl">
      <div className="flex flex-col items-start gap-4">
        <p className="text-sm">
          {hasApp
            ? 'You signed in without your second factor. Sign in again, and enter the code from your authenticator app.'
            : "These pages can change every account, so a stolen password alone can't open them."}
        </p>
        <div className="flex flex-wrap gap-2">
          {hasApp || state?.sign_in.second_factor !== true ? null : (
            <Button kind="primary" onClick={() => setOpen(true)}>
              Set up two-factor authentication
            </Button>
          )}
          {hasApp || state?.sign_in.passkeys === true ? (
            <Button kind={hasApp ? 'primary' : 'plain'} onClick={() => void askForStepUp()}>
              {hasApp ? 'Sign in again' : 'Sign in with a passkey'}
            </Button>
          ) : null}
        </div>
      </div>
      <Suspense fallback={null}>{isOpen ? <SecondFactorDialog isOn={false} onClose={close} /> : null}</Suspense>
    </Card>
  )
}
