import type { UpstreamApi } from '#domain/catalogue/model.ts'
import { hostOf } from './host-of.ts'
import { findAnyVendor } from './own-key-vendor.ts'

/** The lowest output cap that a vendor accepts for a model. A client's lower cap is raised to it. */
export function outputCapMinOf(
  slug: string,
  model: { readonly upstreamModel: string; readonly api?: UpstreamApi | undefined },
): number {
  const vendor = findAnyVendor(slug)
  const host = vendor === undefined ? undefined : hostOf(vendor, model)
  return host?.protocol === 'responses' ? (host.responses.outputCapMin ?? 1) : 1
}
