import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { appRoute } from '../../app/root-route.tsx'
import { type CardAnswer, isCardAnswer } from '../billing/route.tsx'

export interface CreditsSearch {
  /** The order that was just paid at the provider. */
  readonly top_up?: string
  /** The order whose payment page was left. */
  readonly cancelled?: string
  /** What became of the provider's page on which a card is saved. */
  readonly card?: CardAnswer
  /** The wallet that it is about. The page goes on with the organization that it belongs to. */
  readonly wallet?: string
}

export const creditsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'credits',
  validateSearch: ({ top_up: paid, cancelled, wallet, card }: Record<string, unknown>): CreditsSearch => ({
    ...(isId(paid) ? { top_up: paid } : {}),
    ...(isId(cancelled) ? { cancelled } : {}),
    ...(isId(wallet) ? { wallet } : {}),
    ...(isCardAnswer(card) ? { card } : {}),
  }),
  beforeLoad: async ({ search: { wallet, card, ...others } }) => {
    if (wallet === undefined && card === undefined) return
    const { findOrganization } = await import('./find-organization.ts')
    const organization = wallet === undefined ? null : await findOrganization(wallet)
    const next = organization === null ? others : { ...others, organization }
    if (card === undefined) throw redirect({ to: '/credits', search: next, replace: true })
    throw redirect({ to: '/billing', search: { ...next, card }, replace: true })
  },
  component: lazyRouteComponent(() => import('./credits-page.tsx'), 'CreditsPage'),
})

/** An order has an address of its own; its sheet stands over the list. */
export const creditOrderRoute = createRoute({
  getParentRoute: () => creditsRoute,
  path: '$topUpId',
  component: lazyRouteComponent(() => import('./order-page.tsx'), 'OrderPage'),
})

function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value)
}
