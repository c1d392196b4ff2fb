import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { appRoute, leaveOrganization } from '../../app/root-route.tsx'
import { parseAllInvoicesSearch, parseAllOrdersSearch } from './search.ts'

/** All routes below need an operator key. */
const operatorRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'operator',
  beforeLoad: leaveOrganization,
  component: lazyRouteComponent(() => import('./operator-page.tsx'), 'OperatorPage'),
})

const indexRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/operator/orders', replace: true })
  },
})

const ordersRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'orders',
  validateSearch: parseAllOrdersSearch,
  component: lazyRouteComponent(() => import('./orders-page.tsx'), 'OrdersPage'),
})

const orderRoute = createRoute({
  getParentRoute: () => ordersRoute,
  path: '$topUpId',
  component: lazyRouteComponent(() => import('./any-order-page.tsx'), 'AnyOrderPage'),
})

const invoicesRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'invoices',
  validateSearch: parseAllInvoicesSearch,
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
