import { hasCacheMark } from '#domain/inference/cache-marks.ts'
import type { CanonicalCall } from '#domain/inference/call.ts'
import { isForGateway } from '#domain/inference/gateway-fields.ts'
import { isReasoningField } from '#domain/inference/reasoning-wish.ts'
import { takesCachePoints } from './cache-point.ts'
import type { ModelTraits } from './model-traits.ts'

interface IgnoredContext {
  readonly traits: ModelTraits
  /** Names of the extras that were sent. */
  readonly taken: ReadonlySet<string>
}

/** Requested options that Converse does not support, by the names that clients use. */
export function whatIsIgnored(call: CanonicalCall, { traits, taken }: IgnoredContext): string[] {
  const { sampling } = call
  const wishes: readonly (readonly [name: string, isAsked: boolean])[] = [
    ['min_p', sampling.minP !== undefined],
    ['top_a', sampling.topA !== undefined],
    ['frequency_penalty', sampling.frequencyPenalty !== undefined],
    ['presence_penalty', sampling.presencePenalty !== undefined],
    ['repetition_penalty', sampling.repetitionPenalty !== undefined],
    ['seed', sampling.seed !== undefined],
    ['n', call.choiceCount > 1],
    ['parallel_tool_calls', call.parallelToolCalls === false],
    ['response_format', call.responseFormat?.kind === 'json'],
    ['user', call.endUser !== null],
    ['cache_control', hasCacheMark(call) && !takesCachePoints(traits)],
  ]
  // The thinking plan reports reasoning options that were not applied.
  const isHeard = (name: string): boolean => call.reasoning !== null && isReasoningField(name)
  const extras = Object.keys(call.extras).filter(
    (name) => call.extras[name] !== undefined && !taken.has(name) && !isForGateway(name) && !isHeard(name),
  )
  return [...wishes.filter(([, isAsked]) => isAsked).map(([name]) => name), ...extras]
}
