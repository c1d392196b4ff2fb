import { queryOptions } from '@tanstack/react-query'
import { callAuth } from './auth.ts'
import { shownView } from './shown-view.ts'

interface Session {
  readonly user: {
    readonly id: string
    readonly name: string
    readonly email: string
    readonly twoFactorEnabled?: boolean | null
  }
  readonly session: { readonly id: string }
}

/** The signed-in person, or null. In a view, the customer. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => viewedSession() ?? callAuth<Session | null>('/get-session'),
  staleTime: 60_000,
})

/** The gateway answers about sign-in to no view. */
function viewedSession(): Session | null {
  const view = shownView()
  return view === null ? null : { user: view.user, session: { id: view.id } }
}
