import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app/root-route.tsx'
import { parseRunsSearch } from './search.ts'

export const runsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'runs',
  validateSearch: parseRunsSearch,
  component: lazyRouteComponent(() => import('./runs-page.tsx'), 'RunsPage'),
})

/** The URL of a run does not end with its id, because the gateway would treat a path such as `job.1` as a file. */
export const runRoute = createRoute({
  getParentRoute: () => runsRoute,
  path: '$runId/details',
  component: lazyRouteComponent(() => import('./run-page.tsx'), 'RunPage'),
})
