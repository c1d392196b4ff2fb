/** The layers of allowed models, from the widest to the narrowest. */
export const modelLayers = ['organization', 'team', 'member'] as const
export type ModelLayer = (typeof modelLayers)[number]

export type LayerPatterns = Readonly<Record<ModelLayer, readonly string[]>>

export type ModelVerdict =
  | { readonly isAllowed: true }
  /** The layers whose list does not have the model. */
  | { readonly isAllowed: false; readonly excludedBy: readonly ModelLayer[] }

/** Whether all layers allow a model, and which do not. An empty list allows every model. */
export function judgeLayers(layers: LayerPatterns, modelId: string): ModelVerdict {
  const excludedBy = modelLayers.filter((layer) => {
    const patterns = layers[layer]
    return patterns.length > 0 && !patterns.some((pattern) => matchesPattern(pattern, modelId))
  })
  return excludedBy.length === 0 ? { isAllowed: true } : { isAllowed: false, excludedBy }
}

/** A pattern is a model id, or a provider with `/*` for all of its models. A test compares it with the gateway. */
export function matchesPattern(pattern: string, modelId: string): boolean {
  return pattern.endsWith('/*') ? modelId.startsWith(pattern.slice(0, -1)) : pattern === modelId
}
