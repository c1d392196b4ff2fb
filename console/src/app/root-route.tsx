import {
  createRootRoute,
  createRoute,
  lazyRouteComponent,
  notFound,
  type ParsedLocation,
  redirect,
  retainSearchParams,
  rootRouteId,
} from '@tanstack/react-router'
import { callLog } from '../api/call-log.ts'
import { sessionQuery } from '../api/session.ts'
import { findOrganization, walletOf } from './find-organization.ts'
import { NotFoundPage, ProblemPage } from './problem-pages.tsx'
import { queryClient } from './query-client.ts'
import { scopeOf, slugOf } from './scope-rewrite.ts'
import type { Wallet } from './wallet.ts'

export const rootRoute = createRootRoute({ notFoundComponent: NotFoundPage, errorComponent: ProblemPage })

/**
 * Whose pages these are: an organization's or the person's own. It is in every URL, so a shared link shows the same
 * numbers.
 */
interface ScopeSearch {
  /** The path of the organization in the URL, such as `o/demo`. Set it to undefined to leave the organization. */
  readonly scope?: string | undefined
  /** The id of an organization, in links from before its slug was in the path. */
  readonly organization?: string | undefined
}

const personal: Wallet = { kind: 'person', organizationId: null, name: 'Personal', role: null, query: {} }

/** The parent route of every page that needs a session. It renders the shell. */
export const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  validateSearch: ({ scope, organization }: Record<string, unknown>): ScopeSearch => {
    if (typeof scope === 'string') return { scope }
    return typeof organization === 'string' && organization !== '' ? { organization } : {}
  },
  search: { middlewares: [retainSearchParams(['scope'])] },
  beforeLoad: async ({ location, cause, search }) => {
    if (cause === 'enter') callLog.clear()
    const session = await queryClient.ensureQueryData(sessionQuery)
    const next = location.publicHref.replace(/^\/console/, '')
    if (session === null) throw redirect({ to: '/sign-in', search: { next } })
    return { session, wallet: await openWallet(search, location) }
  },
  component: lazyRouteComponent(() => import('./shell.tsx'), 'Shell'),
})

async function openWallet({ scope, organization: id }: ScopeSearch, location: ParsedLocation): Promise<Wallet> {
  if (scope === undefined && id === undefined) return personal
  const found = await findOrganization(scope === undefined ? { id: id ?? '' } : { slug: slugOf(scope) })
  if (found === undefined) throw notFound({ routeId: rootRouteId })
  if (scope === undefined) throw redirectTo(location, { organization: undefined, scope: scopeOf(found.slug) })
  return walletOf(found)
}

/** For pages that belong to the person or the operator: their URL has no organization. */
export function leaveOrganization({
  search: { scope },
  location,
}: {
  readonly search: ScopeSearch
  readonly location: ParsedLocation
}): void {
  if (scope !== undefined) throw redirectTo(location, { scope: undefined })
}

/** For pages that only an organization has: in the scope of a person they do not exist. */
export function requireOrganization({ search: { scope } }: { readonly search: ScopeSearch }): void {
  if (scope === undefined) throw notFound({ routeId: rootRouteId })
}

/** The same page in another scope. */
function redirectTo({ pathname, search, hash }: ParsedLocation, scope: ScopeSearch) {
  return redirect({ to: pathname, search: { ...search, ...scope }, hash, replace: true })
}
