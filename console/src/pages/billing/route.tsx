import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app/root-route.tsx'

/** What became of the provider's page on which a card is saved. */
export type CardAnswer = 'saved' | 'cancelled'

export interface BillingSearch {
  readonly card?: CardAnswer
}

export const billingRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'billing',
  validateSearch: ({ card }: Record<string, unknown>): BillingSearch => (isCardAnswer(card) ? { card } : {}),
  component: lazyRouteComponent(() => import('./billing-page.tsx'), 'BillingPage'),
})

export function isCardAnswer(value: unknown): value is CardAnswer {
  return value === 'saved' || value === 'cancelled'
}
