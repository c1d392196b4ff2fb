import { assert } from '#lib/assert.ts'
import { oncePer } from '#lib/once-per.ts'
import type { Target } from './protocol.ts'

/** The base of an upstream's paths: the operator's base URL, or else the vendor's. */
export const addressOf = oncePer(({ vendor, baseUrl: ownBaseUrl }: Pick<Target, 'vendor' | 'baseUrl'>): Address => {
  const baseUrl = ownBaseUrl ?? vendor.baseUrl
  assert(baseUrl !== null, `${vendor.slug} has no default base URL; set one on the provider account`)
  const { origin, pathname, search } = new URL(baseUrl)
  return { origin, prefix: pathname.endsWith('/') ? pathname.slice(0, -1) : pathname, search }
})

interface Address {
  readonly origin: string
  readonly prefix: string
  readonly search: string
}
