import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app/root-route.tsx'

export const newOrganizationRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'new-organization',
  component: lazyRouteComponent(() => import('./new-organization-page.tsx'), 'NewOrganizationPage'),
})
