import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app/root-route.tsx'
import { parseInvoicesSearch } from './search.ts'

export const invoicesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'invoices',
  validateSearch: parseInvoicesSearch,
  component: lazyRouteComponent(() => import('./invoices-page.tsx'), 'InvoicesPage'),
})

/** A document has its own URL; its sheet opens over the list. */
export const invoiceRoute = createRoute({
  getParentRoute: () => invoicesRoute,
  path: '$number',
  component: lazyRouteComponent(() => import('./invoice-page.tsx'), 'InvoicePage'),
})
