import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute, requireOrganization } from '../../app/root-route.tsx'
import { parseFiltersSearch } from './search.ts'

export const filtersRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'filters',
  validateSearch: parseFiltersSearch,
  beforeLoad: requireOrganization,
  component: lazyRouteComponent(() => import('./filters-page.tsx'), 'FiltersPage'),
})

/** A filter has its own URL; its dialog opens over the list. */
export const filterRoute = createRoute({
  getParentRoute: () => filtersRoute,
  path: '$ruleId',
  component: lazyRouteComponent(() => import('./filter-page.tsx'), 'FilterPage'),
})
