import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'

/** Whether a conversation that is too long loses its middle: as the client says, or by the size of the model. */
type Trimming = 'always' | 'never' | 'small-models'

/** From the field `transforms`. */
export function parseTrimming({ transforms }: JsonObject): Trimming {
  if (transforms === undefined || transforms === null) return 'small-models'
  if (!Array.isArray(transforms) || transforms.some((name) => name !== 'middle-out')) {
    throw malformed('`transforms` must be `["middle-out"]` or `[]`.')
  }
  return transforms.length === 0 ? 'never' : 'always'
}

const smallContextMax = 8_192

export function isTrimmed(trimming: Trimming, contextLength: number): boolean {
  return trimming === 'always' || (trimming === 'small-models' && contextLength <= smallContextMax)
}

/**
 * The tokens that a prompt may have: what the output that was asked for leaves of the context, and never less than
 * half.
 */
export function promptRoom(contextLength: number, maxTokens: number | null): number {
  return Math.max(contextLength - (maxTokens ?? 0), Math.floor(contextLength / 2))
}
