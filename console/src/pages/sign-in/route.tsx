import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

export interface SignInSearch {
  /** Where to go afterwards, below `/console`. */
  readonly next?: string
}

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'sign-in',
  validateSearch: ({ next }: Record<string, unknown>): SignInSearch => (typeof next === 'string' ? { next } : {}),
  component: lazyRouteComponent(() => import('./sign-in-page.tsx'), 'SignInPage'),
})
