import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { appRoute } from '../../app/root-route.tsx'

export interface CreditsSearch {
  /** The order that was just paid at the provider. */
  readonly top_up?: string
  /** The order whose payment page was left. */
  readonly cancelled?: string
  /** The wallet of that order. The page goes on with the organization that it belongs to. */
  readonly wallet?: string
}

export const creditsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'credits',
  validateSearch: ({ top_up: paid, cancelled, wallet }: Record<string, unknown>): CreditsSearch => ({
    ...(isId(paid) ? { top_up: paid } : {}),
    ...(isId(cancelled) ? { cancelled } : {}),
    ...(isId(wallet) ? { wallet } : {}),
  }),
  beforeLoad: async ({ search: { wallet, ...others } }) => {
    if (wallet === undefined) return
    const { findOrganization } = await import('./find-organization.ts')
    const organization = await findOrganization(wallet)
    const next = organization === null ? others : { ...others, organization }
    throw redirect({ to: '/credits', search: next, replace: true })
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
