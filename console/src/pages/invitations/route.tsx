import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute, requireOrganization } from '../../app/root-route.tsx'
import { parseInvitationsSearch } from './search.ts'

export const invitationsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'invitations',
  validateSearch: parseInvitationsSearch,
  beforeLoad: requireOrganization,
  component: lazyRouteComponent(() => import('./invitations-page.tsx'), 'InvitationsPage'),
})
