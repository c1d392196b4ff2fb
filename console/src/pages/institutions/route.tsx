import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute, requireOrganization } from '../../app/root-route.tsx'
import { parseInstitutionsSearch, parseSessionsSearch } from './search.ts'

export const institutionsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'institutions',
  validateSearch: parseInstitutionsSearch,
  beforeLoad: requireOrganization,
  component: lazyRouteComponent(() => import('./institutions-page.tsx'), 'InstitutionsPage'),
})

/** An institution key with its sessions. */
export const institutionRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'institutions/$keyId',
  validateSearch: parseSessionsSearch,
  beforeLoad: requireOrganization,
  component: lazyRouteComponent(() => import('./institution-page.tsx'), 'InstitutionPage'),
})
