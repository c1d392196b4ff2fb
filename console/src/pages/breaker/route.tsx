import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app/root-route.tsx'

export const breakerRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'breaker',
  component: lazyRouteComponent(() => import('./breaker-page.tsx'), 'BreakerPage'),
})
