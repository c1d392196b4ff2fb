import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute, requireOrganization } from '../../app/root-route.tsx'
import { parseReportsSearch } from './search.ts'

export const reportsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'reports',
  validateSearch: parseReportsSearch,
  beforeLoad: requireOrganization,
  component: lazyRouteComponent(() => import('./reports-page.tsx'), 'ReportsPage'),
})
