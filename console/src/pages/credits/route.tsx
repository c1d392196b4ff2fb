import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { appRoute } from '../../app/root-route.tsx'
import { scopeOf } from '../../app/scope-rewrite.ts'
import { parseCreditsSearch } from './search.ts'

export const creditsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'credits',
  validateSearch: parseCreditsSearch,
  beforeLoad: async ({ search: { wallet, card, ...others } }) => {
    if (wallet === undefined && card === undefined) return
    const { findOwner } = await import('./find-owner.ts')
    const slug = wallet === undefined ? undefined : await findOwner(wallet)
    const next = slug === undefined ? others : { ...others, scope: scopeOf(slug) }
    if (card === undefined) throw redirect({ to: '/credits', search: next, replace: true })
    throw redirect({ to: '/billing', search: { ...next, card }, replace: true })
  },
  component: lazyRouteComponent(() => import('./credits-page.tsx'), 'CreditsPage'),
})

/** An order has its own URL; its sheet opens over the list. */
export const creditOrderRoute = createRoute({
  getParentRoute: () => creditsRoute,
  path: '$topUpId',
  component: lazyRouteComponent(() => import('./order-page.tsx'), 'OrderPage'),
})
