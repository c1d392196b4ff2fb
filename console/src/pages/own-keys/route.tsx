import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute, requireOrganization } from '../../app/root-route.tsx'
import { parseOwnKeysSearch } from './search.ts'

export const ownKeysRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'own-keys',
  validateSearch: parseOwnKeysSearch,
  beforeLoad: requireOrganization,
  component: lazyRouteComponent(() => import('./own-keys-page.tsx'), 'OwnKeysPage'),
})

/** A key has its own URL; its sheet opens over the list. */
export const ownKeyRoute = createRoute({
  getParentRoute: () => ownKeysRoute,
  path: '$ownKeyId',
  component: lazyRouteComponent(() => import('./own-key-page.tsx'), 'OwnKeyPage'),
})
