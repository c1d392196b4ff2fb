import { useQuery } from '@tanstack/react-query'
import { operatorSelfQuery } from '../api/operator-self.ts'
import { sessionQuery } from '../api/session.ts'
import { CredentialsForm } from './credentials-form.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { queryClient } from './query-client.ts'
import { stepUp } from '../api/step-up.ts'

/** Asks a person with an old session to sign in again. */
export default function StepUpDialog() {
  const { data } = useQuery(sessionQuery)
  return (
    <Dialog
      isOpen
      isAbove
      onClose={() => stepUp.answer(false)}
      title="Confirm it's you"
      description="This action requires a sign-in within the last 10 minutes. Sign in again to continue where you left off."
    >
      <CredentialsForm email={data?.user.email} onSignedIn={proven} />
    </Dialog>
  )
}

async function proven(): Promise<void> {
  await Promise.all([
    queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 }),
    queryClient.invalidateQueries({ queryKey: operatorSelfQuery.queryKey }),
  ])
  stepUp.answer(true)
}
