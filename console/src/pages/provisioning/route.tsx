import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute, requireOrganization } from '../../app/root-route.tsx'

export const provisioningRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'provisioning',
  beforeLoad: requireOrganization,
  component: lazyRouteComponent(() => import('./provisioning-page.tsx'), 'ProvisioningPage'),
})
