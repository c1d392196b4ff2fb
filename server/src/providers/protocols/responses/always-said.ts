import type { JsonObject, JsonValue } from '#lib/json.ts'
import type { ResponsesTarget } from './responses-host.ts'
import { isThinker } from './takes-field.ts'

/** Fields that every request sends, translated or relayed. */
interface AlwaysSaid {
  readonly fields: JsonObject
  /** The cap was below this upstream's minimum. */
  readonly isCapRaised: boolean
}

/**
 * Nothing is stored, so thoughts can be sent back only if they are returned encrypted. Models that do not think reject
 * the option.
 */
export function alwaysSaid(
  { stream, maxTokens, include = [] }: { stream: boolean; maxTokens: number | null; include?: readonly JsonValue[] },
  target: ResponsesTarget,
): AlwaysSaid {
  const { outputCapMin = 1 } = target.vendor.responses
  const included = isThinker(target) ? [...new Set([...include, encryptedThoughts])] : [...include]
  const isCapRaised = maxTokens !== null && maxTokens < outputCapMin
  return {
    fields: {
      ...(maxTokens === null ? {} : { max_output_tokens: Math.max(maxTokens, outputCapMin) }),
      store: false,
      ...(included.length === 0 ? {} : { include: included }),
      stream,
    },
    isCapRaised,
  }
}

const encryptedThoughts = 'reasoning.encrypted_content'
