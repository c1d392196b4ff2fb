import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute, requireOrganization } from '../../app/root-route.tsx'
import { parseTeamsSearch } from './search.ts'

export const teamsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'teams',
  validateSearch: parseTeamsSearch,
  beforeLoad: requireOrganization,
  component: lazyRouteComponent(() => import('./teams-page.tsx'), 'TeamsPage'),
})

/** A team has its own URL; its sheet opens over the list. */
export const teamRoute = createRoute({
  getParentRoute: () => teamsRoute,
  path: '$teamId',
  component: lazyRouteComponent(() => import('./team-page.tsx'), 'TeamPage'),
})
