import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from '../api/api-error.ts'
import { operatorSelfQuery } from '../api/operator-self.ts'
import { sessionQuery } from '../api/session.ts'
import { closeView } from '../api/shown-view.ts'
import { leaveView } from './leave-view.ts'

/** Reads are retried only if the gateway was unreachable; an error response would be the same again. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      forgetEndedSession(error)
      recheckOperator(error)
      leaveEndedView(error)
    },
  }),
  mutationCache: new MutationCache({
    onError: (error) => {
      recheckOperator(error)
      leaveEndedView(error)
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) =>
        failures < 2 && error instanceof ApiError && (error.status === 0 || error.status === 503),
    },
  },
})

/** A session that ended elsewhere gets 401 for any read. The page guard then asks the person to sign in. */
function forgetEndedSession(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 401) return
  // A view ends with the operator's session.
  closeView()
  if (queryClient.getQueryData(sessionQuery.queryKey) === null) return
  queryClient.setQueryData(sessionQuery.queryKey, null)
}

/** The session of an operator expires within hours. The operator's pages then ask the person to sign in again. */
function recheckOperator(error: unknown): void {
  if (!(error instanceof ApiError)) return
  if (error.code !== 'second_factor_required' && error.code !== 'step_up_required') return
  void queryClient.invalidateQueries({ queryKey: operatorSelfQuery.queryKey })
}

/** A view ended elsewhere, or the operator may not have it any more. */
function leaveEndedView(error: unknown): void {
  if (error instanceof ApiError && error.code === 'view_ended') leaveView({ hasEnded: true })
}
