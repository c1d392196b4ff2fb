import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app/root-route.tsx'
import { parseCustomersSearch } from './search.ts'

export const customersRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'customers',
  validateSearch: parseCustomersSearch,
  component: lazyRouteComponent(() => import('./customers-page.tsx'), 'CustomersPage'),
})

/**
 * A customer has its own URL; its sheet opens over the list. The path does not end with the id, because the gateway
 * takes a path that ends like `ann@example.com` for a file.
 */
export const customerRoute = createRoute({
  getParentRoute: () => customersRoute,
  path: '$customerId/details',
  component: lazyRouteComponent(() => import('./customer-page.tsx'), 'CustomerPage'),
})
