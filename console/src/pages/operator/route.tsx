import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { appRoute } from '../../app/root-route.tsx'
import { documentKinds } from '../invoices/route.tsx'

/** Everything below asks for the key of an operator first. */
const operatorRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'operator',
  component: lazyRouteComponent(() => import('./operator-page.tsx'), 'OperatorPage'),
})

const indexRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/operator/orders', replace: true })
  },
})

export const orderStates = [
  'open',
  'expired',
  'mismatch',
  'paid',
  'partly_refunded',
  'refunded',
  'disputed',
  'won',
  'lost',
] as const

export interface AllOrdersSearch {
  readonly state?: (typeof orderStates)[number]
  /** Only those of which something was not as ordered. */
  readonly mismatched?: true
  /** A wallet by its id, its owner's id, a mail address or an organization's slug. */
  readonly wallet?: string
}

const ordersRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'orders',
  validateSearch: ({ state, mismatched, wallet }: Record<string, unknown>): AllOrdersSearch => {
    const known = orderStates.find((one) => one === state)
    return {
      ...(known === undefined ? {} : { state: known }),
      ...(mismatched === true ? { mismatched } : {}),
      ...(typeof wallet === 'string' && wallet !== '' ? { wallet } : {}),
    }
  },
  component: lazyRouteComponent(() => import('./orders-page.tsx'), 'OrdersPage'),
})

const orderRoute = createRoute({
  getParentRoute: () => ordersRoute,
  path: '$topUpId',
  component: lazyRouteComponent(() => import('./any-order-page.tsx'), 'AnyOrderPage'),
})

export interface AllInvoicesSearch {
  readonly kind?: (typeof documentKinds)[number]
  readonly wallet?: string
}

const invoicesRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'invoices',
  validateSearch: ({ kind, wallet }: Record<string, unknown>): AllInvoicesSearch => {
    const known = documentKinds.find((one) => one === kind)
    return {
      ...(known === undefined ? {} : { kind: known }),
      ...(typeof wallet === 'string' && wallet !== '' ? { wallet } : {}),
    }
  },
  component: lazyRouteComponent(() => import('./all-invoices-page.tsx'), 'AllInvoicesPage'),
})

const codesRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'codes',
  component: lazyRouteComponent(() => import('./codes-page.tsx'), 'CodesPage'),
})

const transfersRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'transfers',
  component: lazyRouteComponent(() => import('./transfers-page.tsx'), 'TransfersPage'),
})

const booksRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'books',
  component: lazyRouteComponent(() => import('./books-page.tsx'), 'BooksPage'),
})

export const operatorRoutes = operatorRoute.addChildren([
  indexRoute,
  ordersRoute.addChildren([orderRoute]),
  invoicesRoute,
  codesRoute,
  transfersRoute,
  booksRoute,
])
