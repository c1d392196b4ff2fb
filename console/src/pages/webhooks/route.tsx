import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app/root-route.tsx'

export const deliveryStates = ['delivered', 'waiting', 'given_up'] as const

export interface WebhooksSearch {
  readonly state?: (typeof deliveryStates)[number]
}

export const webhooksRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'webhooks',
  validateSearch: ({ state }: Record<string, unknown>): WebhooksSearch => {
    const known = deliveryStates.find((one) => one === state)
    return known === undefined ? {} : { state: known }
  },
  component: lazyRouteComponent(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
})
