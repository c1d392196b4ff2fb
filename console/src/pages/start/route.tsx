import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app/root-route.tsx'

interface StartSearch {
  readonly tool?: string
}

export const startRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'start',
  validateSearch: ({ tool }: Record<string, unknown>): StartSearch =>
    typeof tool === 'string' && tool !== '' ? { tool } : {},
  component: lazyRouteComponent(() => import('./start-page.tsx'), 'StartPage'),
})
