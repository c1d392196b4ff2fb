import type { Principal } from './principal.ts'

/**
 * Whether a principal may use a model. Personal keys may use all models, and customer tokens some of their key's
 * models.
 */
export function mayCallModel({ organization, customerToken }: Principal, modelId: string): boolean {
  const ofToken = customerToken?.allowedModels ?? null
  if (ofToken !== null && !judgeModel([ofToken], modelId).allowed) return false
  return organization === null || judgeModel(organization.allowedModels, modelId).allowed
}

/** Without a list every model is allowed. */
export function judgeModel(layers: readonly (readonly string[])[], modelId: string): { readonly allowed: boolean } {
  return { allowed: layers.every((patterns) => patterns.some((pattern) => matchesPattern(pattern, modelId))) }
}

/** A pattern is a model id, or a provider's name with `/*` for all of its models. A suffix is part of the id. */
export function matchesPattern(pattern: string, modelId: string): boolean {
  return pattern.endsWith('/*') ? modelId.startsWith(pattern.slice(0, -1)) : pattern === modelId
}
