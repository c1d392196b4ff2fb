import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app/root-route.tsx'
import { parseWebhooksSearch } from './search.ts'

export const webhooksRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'webhooks',
  validateSearch: parseWebhooksSearch,
  component: lazyRouteComponent(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
})
