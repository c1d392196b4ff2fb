import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute, requireOrganization } from '../../app/root-route.tsx'
import { parseMembersSearch } from './search.ts'

export const membersRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'members',
  validateSearch: parseMembersSearch,
  beforeLoad: requireOrganization,
  component: lazyRouteComponent(() => import('./members-page.tsx'), 'MembersPage'),
})

/** A member has their own URL; the sheet opens over the list. */
export const memberRoute = createRoute({
  getParentRoute: () => membersRoute,
  path: '$memberId',
  component: lazyRouteComponent(() => import('./member-page.tsx'), 'MemberPage'),
})
