import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

/** The target of an invitation's link. It needs no session: the person may have no account yet. */
export const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'invitation',
  validateSearch: ({ token }: Record<string, unknown>): { readonly token?: string } =>
    typeof token === 'string' ? { token } : {},
  component: lazyRouteComponent(() => import('./invitation-page.tsx'), 'InvitationPage'),
})
