import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute, requireOrganization } from '../../app/root-route.tsx'

export const budgetsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'budgets',
  beforeLoad: requireOrganization,
  component: lazyRouteComponent(() => import('./budgets-page.tsx'), 'BudgetsPage'),
})
