import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute, requireOrganization } from '../../app/root-route.tsx'

export const signOnRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'sign-on',
  beforeLoad: requireOrganization,
  component: lazyRouteComponent(() => import('./sign-on-page.tsx'), 'SignOnPage'),
})
