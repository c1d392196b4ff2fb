import { useNavigate } from '@tanstack/react-router'
import { callAuth } from '../api/auth.ts'
import { sessionQuery } from '../api/session.ts'
import { toastError } from '../ui/toast.tsx'
import { queryClient } from './query-client.ts'

/** Ends the session, and forgets everything that was read with it. */
export function useSignOut(): () => void {
  const navigate = useNavigate()
  const signOut = async () => {
    await callAuth('/sign-out', {})
    queryClient.setQueryData(sessionQuery.queryKey, null)
    await navigate({ to: '/sign-in' })
    // Before, the pages would read everything again.
    queryClient.clear()
    queryClient.setQueryData(sessionQuery.queryKey, null)
  }
  return () => void signOut().catch(toastError)
}
