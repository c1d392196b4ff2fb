import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute, requireOrganization } from '../../app/root-route.tsx'

export const importRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'import',
  beforeLoad: requireOrganization,
  component: lazyRouteComponent(() => import('./import-page.tsx'), 'ImportPage'),
})
