import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app/root-route.tsx'
import { parseUsageSearch } from './search.ts'

export const usageRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'usage',
  validateSearch: parseUsageSearch,
  component: lazyRouteComponent(() => import('./usage-page.tsx'), 'UsagePage'),
})
