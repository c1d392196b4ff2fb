import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app/root-route.tsx'

export const keySorts = ['-created', 'created', 'name', '-name'] as const

export interface KeysSearch {
  /** Part of a name, the end of a secret, or an id. */
  readonly q?: string
  readonly sort?: (typeof keySorts)[number]
}

export const keysRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'keys',
  validateSearch: ({ q, sort }: Record<string, unknown>): KeysSearch => {
    const known = keySorts.find((one) => one === sort)
    return { ...(typeof q === 'string' && q !== '' ? { q } : {}), ...(known === undefined ? {} : { sort: known }) }
  },
  component: lazyRouteComponent(() => import('./keys-page.tsx'), 'KeysPage'),
})

/** A key has an address of its own; its sheet stands over the list. */
export const keyRoute = createRoute({
  getParentRoute: () => keysRoute,
  path: '$keyId',
  component: lazyRouteComponent(() => import('./key-page.tsx'), 'KeyPage'),
})
