import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app/root-route.tsx'
import { parseRequestsSearch } from './search.ts'

export const requestsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'requests',
  validateSearch: parseRequestsSearch,
  component: lazyRouteComponent(() => import('./requests-page.tsx'), 'RequestsPage'),
})

/** A request has its own URL; its sheet opens over the list. */
export const receiptRoute = createRoute({
  getParentRoute: () => requestsRoute,
  path: '$requestId',
  component: lazyRouteComponent(() => import('./receipt-page.tsx'), 'ReceiptPage'),
})
