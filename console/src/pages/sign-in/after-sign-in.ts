import { sessionQuery } from '../../api/session.ts'
import { queryClient } from '../../app/query-client.ts'

/** A new session may be another person's, so nothing that was read before it is kept. */
export async function afterSignIn(): Promise<void> {
  queryClient.clear()
  await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
}
