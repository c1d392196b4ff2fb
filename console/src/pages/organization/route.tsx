import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute, requireOrganization } from '../../app/root-route.tsx'

export const organizationRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'organization',
  beforeLoad: requireOrganization,
  component: lazyRouteComponent(() => import('./organization-page.tsx'), 'OrganizationPage'),
})
