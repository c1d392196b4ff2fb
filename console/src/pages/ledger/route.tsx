import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app/root-route.tsx'
import { parseLedgerSearch } from './search.ts'

export const ledgerRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'ledger',
  validateSearch: parseLedgerSearch,
  component: lazyRouteComponent(() => import('./ledger-page.tsx'), 'LedgerPage'),
})
