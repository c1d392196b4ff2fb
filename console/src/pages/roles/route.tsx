import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute, requireOrganization } from '../../app/root-route.tsx'

export const rolesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'roles',
  beforeLoad: requireOrganization,
  component: lazyRouteComponent(() => import('./roles-page.tsx'), 'RolesPage'),
})
