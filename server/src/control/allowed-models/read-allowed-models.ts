import { type AllowedModelsLayers, resolveAllowedModels } from '#domain/access/resolve-allowed-models.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { AllowedModelsBook, ModelListOwner } from '#ports/organization-rules.ts'

/** A list with what comes of it and of those above it. */
export interface AllowedModelsView {
  readonly allowedModels: readonly string[]
  readonly resolvedAllowedModels: readonly string[] | null
  readonly layers: AllowedModelsLayers
}

export async function readAllowedModels(book: AllowedModelsBook, owner: ModelListOwner): Promise<AllowedModelsView> {
  const layers = await book.find(owner)
  if (layers === null) throw noSuchOwner(owner)
  return { allowedModels: layers[owner.kind], resolvedAllowedModels: resolveAllowedModels(layers), layers }
}

export function noSuchOwner({ kind }: ModelListOwner): GatewayError {
  return new GatewayError('notFound', { message: `There is no such ${kind}.` })
}
