import { QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from '../api/api-error.ts'
import { operatorKeyRefused } from '../api/operator-key-refused.ts'
import { sessionQuery } from '../api/session.ts'

/** Reads are retried only if the gateway was unreachable; an error response would be the same again. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: forgetEndedSession }),
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
  if (!(error instanceof ApiError) || error.status !== 401 || error.code === operatorKeyRefused) return
  if (queryClient.getQueryData(sessionQuery.queryKey) === null) return
  queryClient.setQueryData(sessionQuery.queryKey, null)
}
