import type { UpstreamApi } from '#domain/catalogue/model.ts'
import type { VendorSpec } from './spec.ts'

/** How a vendor is spoken to about a model: by the API that is named, else as the vendor says of the model. */
export function hostOf(
  vendor: VendorSpec,
  { upstreamModel, api }: { readonly upstreamModel: string; readonly api?: UpstreamApi | undefined },
): VendorSpec {
  const { onResponses } = vendor
  if (api === 'responses' && onResponses !== undefined) return onResponses
  return vendor.hostOf?.(upstreamModel) ?? vendor
}
