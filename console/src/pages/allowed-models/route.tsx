import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute, requireOrganization } from '../../app/root-route.tsx'
import { parseAllowedModelsSearch } from './search.ts'

export const allowedModelsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'allowed-models',
  validateSearch: parseAllowedModelsSearch,
  beforeLoad: requireOrganization,
  component: lazyRouteComponent(() => import('./allowed-models-page.tsx'), 'AllowedModelsPage'),
})
