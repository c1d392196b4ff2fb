import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app/root-route.tsx'
import { parseBillingSearch } from './search.ts'

export const billingRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'billing',
  validateSearch: parseBillingSearch,
  component: lazyRouteComponent(() => import('./billing-page.tsx'), 'BillingPage'),
})
