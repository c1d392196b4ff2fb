import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app/root-route.tsx'

export const documentKinds = ['receipt', 'credit_note', 'invoice'] as const

export interface InvoicesSearch {
  readonly kind?: (typeof documentKinds)[number]
}

export const invoicesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'invoices',
  validateSearch: ({ kind }: Record<string, unknown>): InvoicesSearch => {
    const known = documentKinds.find((one) => one === kind)
    return known === undefined ? {} : { kind: known }
  },
  component: lazyRouteComponent(() => import('./invoices-page.tsx'), 'InvoicesPage'),
})

/** A document has an address of its own; its sheet stands over the list. */
export const invoiceRoute = createRoute({
  getParentRoute: () => invoicesRoute,
  path: '$number',
  component: lazyRouteComponent(() => import('./invoice-page.tsx'), 'InvoicePage'),
})
