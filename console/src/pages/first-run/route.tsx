import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

/**
 * The first page of an installation without accounts. The token may be in the fragment, which is not sent to the
 * server.
 */
export const firstRunRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'first-run',
  component: lazyRouteComponent(() => import('./first-run-page.tsx'), 'FirstRunPage'),
})
