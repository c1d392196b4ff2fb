import { isNestedDeeperThan } from '#lib/json-depth.ts'
import type { AnswerFailure } from '../../types.ts'

// Serializing a response fails at about 5,000 levels, after it was settled. No model's output has more than a few
// dozen.
const depthMax = 1_000

const nestedAnswer: AnswerFailure = {
  kind: 'broken',
  message: 'The upstream sent an answer that is nested too deeply.',
}

/** The failure of a document that can be parsed and charged but not serialized for the client; null for all others. */
export function nestingFailure(document: Buffer): AnswerFailure | null {
  // Each level takes two bytes, so a short document is not scanned.
  return document.length > 2 * depthMax && isNestedDeeperThan(document, depthMax) ? nestedAnswer : null
}
