import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app/root-route.tsx'

export const keysRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'keys',
  component: lazyRouteComponent(() => import('./keys-page.tsx'), 'KeysPage'),
})
