import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'

/**
 * Whether the middle of an overlong conversation is trimmed: as the client chose, or by the context size of the model.
 */
type Trimming = 'always' | 'never' | 'small-models'

/** Parses the field `transforms`. */
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

/** The token limit of a prompt: the context minus the requested output, but at least half of the context. */
export function promptRoom(contextLength: number, maxTokens: number | null): number {
  return Math.max(contextLength - (maxTokens ?? 0), Math.floor(contextLength / 2))
}
