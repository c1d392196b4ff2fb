import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { operatorSelfQuery } from '../../api/operator-self.ts'
import { queryClient } from '../../app/query-client.ts'
import { appRoute, leaveOrganization } from '../../app/root-route.tsx'
import { parseCustomerSearch, parseCustomersSearch, parseStatementSearch } from './customers/search.ts'
import { parsePlatformAuditSearch } from './audit/search.ts'
import { parseMonthSearch, parseRevenueSearch } from './month-search.ts'
import { parseOperatedRequestsSearch } from './requests/search.ts'
import { parseCatalogueSearch, parseRoutesSearch } from './supply/search.ts'
import { parseAllInvoicesSearch, parseAllOrdersSearch } from './search.ts'

/** All routes below need an operator. */
const operatorRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'operator',
  beforeLoad: async (match) => {
    leaveOrganization(match)
    // Before the first paint, so that the frame of the person's own pages is not shown first. The page shows a failure.
    await queryClient.ensureQueryData(operatorSelfQuery).catch(() => undefined)
  },
  component: lazyRouteComponent(() => import('./operator-page.tsx'), 'OperatorPage'),
})

const indexRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/operator/health', replace: true })
  },
})

const healthRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'health',
  component: lazyRouteComponent(() => import('./health-page.tsx'), 'HealthPage'),
})

const revenueRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'revenue',
  validateSearch: parseRevenueSearch,
  component: lazyRouteComponent(() => import('./revenue-page.tsx'), 'RevenuePage'),
})

const accountingRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'accounting',
  validateSearch: parseMonthSearch,
  component: lazyRouteComponent(() => import('./accounting-page.tsx'), 'AccountingPage'),
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

const disputesRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'disputes',
  component: lazyRouteComponent(() => import('./disputes-page.tsx'), 'DisputesPage'),
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

const customersRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'customers',
  validateSearch: parseCustomersSearch,
  component: lazyRouteComponent(() => import('./customers/customers-page.tsx'), 'CustomersPage'),
})

const customerRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'customers/$customerId',
  validateSearch: parseCustomerSearch,
  component: lazyRouteComponent(() => import('./customers/customer-page.tsx'), 'CustomerPage'),
})

const statementRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'customers/$customerId/statement',
  validateSearch: parseStatementSearch,
  component: lazyRouteComponent(() => import('./customers/statement-page.tsx'), 'CustomerStatementPage'),
})

const requestsRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'requests',
  validateSearch: parseOperatedRequestsSearch,
  component: lazyRouteComponent(() => import('./requests/requests-page.tsx'), 'OperatedRequestsPage'),
})

const requestRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'requests/$requestId',
  component: lazyRouteComponent(() => import('./requests/request-page.tsx'), 'OperatedRequestPage'),
})

const providersRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'providers',
  component: lazyRouteComponent(() => import('./supply/providers-page.tsx'), 'ProvidersPage'),
})

const providerRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'providers/$accountName',
  component: lazyRouteComponent(() => import('./supply/provider-page.tsx'), 'ProviderPage'),
})

const routesRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'routes',
  validateSearch: parseRoutesSearch,
  component: lazyRouteComponent(() => import('./supply/routes-page.tsx'), 'RoutesPage'),
})

const catalogueRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'catalogue',
  validateSearch: parseCatalogueSearch,
  component: lazyRouteComponent(() => import('./supply/catalogue-page.tsx'), 'CataloguePage'),
})

const soldModelRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'catalogue/model',
  validateSearch: ({ model }: Record<string, unknown>) => ({ model: typeof model === 'string' ? model : '' }),
  component: lazyRouteComponent(() => import('./supply/sold-model-page.tsx'), 'SoldModelPage'),
})

const pricesRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'prices',
  component: lazyRouteComponent(() => import('./prices/prices-page.tsx'), 'PricesPage'),
})

const peopleRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'operators',
  component: lazyRouteComponent(() => import('./people/people-page.tsx'), 'OperatorPeoplePage'),
})

const auditLogRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'audit-log',
  validateSearch: parsePlatformAuditSearch,
  component: lazyRouteComponent(() => import('./audit/platform-audit-page.tsx'), 'PlatformAuditPage'),
})

/** An entry has its own URL; its sheet opens over the list. */
const auditEntryRoute = createRoute({
  getParentRoute: () => auditLogRoute,
  path: '$sequence',
  component: lazyRouteComponent(() => import('./audit/platform-entry-page.tsx'), 'PlatformEntryPage'),
})

const brakeRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'brake',
  component: lazyRouteComponent(() => import('./brake-page.tsx'), 'BrakePage'),
})

const jobsRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'jobs',
  component: lazyRouteComponent(() => import('./jobs/jobs-page.tsx'), 'JobsPage'),
})

const evidenceRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'evidence',
  component: lazyRouteComponent(() => import('./evidence/evidence-page.tsx'), 'EvidencePage'),
})

export const operatorRoutes = operatorRoute.addChildren([
  indexRoute,
  healthRoute,
  revenueRoute,
  accountingRoute,
  customersRoute,
  customerRoute,
  statementRoute,
  requestsRoute,
  requestRoute,
  ordersRoute.addChildren([orderRoute]),
  disputesRoute,
  invoicesRoute,
  codesRoute,
  transfersRoute,
  booksRoute,
  providersRoute,
  providerRoute,
  routesRoute,
  catalogueRoute,
  soldModelRoute,
  pricesRoute,
  peopleRoute,
  auditLogRoute.addChildren([auditEntryRoute]),
  brakeRoute,
  jobsRoute,
  evidenceRoute,
])
