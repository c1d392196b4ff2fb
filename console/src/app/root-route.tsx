import { createRootRoute, createRoute, lazyRouteComponent, redirect, retainSearchParams } from '@tanstack/react-router'
import { callLog } from '../api/call-log.ts'
import { sessionQuery } from '../api/session.ts'
import { NotFoundPage, ProblemPage } from './problem-pages.tsx'
import { queryClient } from './query-client.ts'

export const rootRoute = createRootRoute({ notFoundComponent: NotFoundPage, errorComponent: ProblemPage })

/**
 * The wallet of the page: an organization's or the person's own. It is in every URL, so a shared link shows the same
 * numbers.
 */
interface WalletSearch {
  readonly organization?: string
}

/** The parent route of every page that needs a session. It renders the shell. */
export const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  validateSearch: ({ organization }: Record<string, unknown>): WalletSearch =>
    typeof organization === 'string' && organization !== '' ? { organization } : {},
  search: { middlewares: [retainSearchParams(['organization'])] },
  beforeLoad: async ({ location, cause }) => {
    if (cause === 'enter') callLog.clear()
    const session = await queryClient.ensureQueryData(sessionQuery)
    if (session === null) throw redirect({ to: '/sign-in', search: { next: location.href } })
    return { session }
  },
  component: lazyRouteComponent(() => import('./shell.tsx'), 'Shell'),
})
