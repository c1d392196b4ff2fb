import { sessionQuery } from '../../api/session.ts'
import { queryClient } from '../../app/query-client.ts'

/** A new session may belong to another person, so all cached data is cleared. */
export async function afterSignIn(): Promise<void> {
  queryClient.clear()
  await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
}
