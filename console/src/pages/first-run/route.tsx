import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

/**
 * What the first person sees on an installation without accounts. The token may be in the fragment, which no server
 * sees.
 */
export const firstRunRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'first-run',
  component: lazyRouteComponent(() => import('./first-run-page.tsx'), 'FirstRunPage'),
})
