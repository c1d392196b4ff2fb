import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute, requireOrganization } from '../../app/root-route.tsx'
import { parseAuditSearch } from './search.ts'

export const auditRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'audit',
  validateSearch: parseAuditSearch,
  beforeLoad: requireOrganization,
  component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
})

/** An entry has its own URL; its sheet opens over the list. */
export const auditEntryRoute = createRoute({
  getParentRoute: () => auditRoute,
  path: '$sequence',
  component: lazyRouteComponent(() => import('./entry-page.tsx'), 'EntryPage'),
})
