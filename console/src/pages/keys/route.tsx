import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app/root-route.tsx'
import { parseKeysSearch } from './search.ts'

export const keysRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'keys',
  validateSearch: parseKeysSearch,
  component: lazyRouteComponent(() => import('./keys-page.tsx'), 'KeysPage'),
})

/** A key has its own URL; its sheet opens over the list. */
export const keyRoute = createRoute({
  getParentRoute: () => keysRoute,
  path: '$keyId',
  component: lazyRouteComponent(() => import('./key-page.tsx'), 'KeyPage'),
})
