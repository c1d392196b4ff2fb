import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { appRoute } from '../../app/root-route.tsx'

export const breakerRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'breaker',
  // The breaker of an organization is among its budgets.
  beforeLoad: ({ search: { scope } }) => {
    if (scope !== undefined) throw redirect({ to: '/budgets', search: { scope }, replace: true })
  },
  component: lazyRouteComponent(() => import('./breaker-page.tsx'), 'BreakerPage'),
})
