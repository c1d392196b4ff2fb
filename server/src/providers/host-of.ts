import type { UpstreamApi } from '#domain/catalogue/model.ts'
import type { VendorSpec } from './spec.ts'

/** How a vendor is addressed for a model: through the named API, otherwise as the vendor's spec says. */
export function hostOf(
  vendor: VendorSpec,
  { upstreamModel, api }: { readonly upstreamModel: string; readonly api?: UpstreamApi | undefined },
): VendorSpec {
  const { onResponses } = vendor
  if (api === 'responses' && onResponses !== undefined) return onResponses
  return vendor.hostOf?.(upstreamModel) ?? vendor
}
