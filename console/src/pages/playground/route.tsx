import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app/root-route.tsx'
import { parsePlaygroundSearch } from './search.ts'

export const playgroundRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'playground',
  validateSearch: parsePlaygroundSearch,
  component: lazyRouteComponent(() => import('./playground-page.tsx'), 'PlaygroundPage'),
})
