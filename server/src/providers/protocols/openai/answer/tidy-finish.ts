import { nativeReason } from '#domain/inference/finish-reason.ts'
import type { JsonObject } from '#lib/json.ts'
import type { OpenAiQuirks } from '#providers/spec.ts'
import { finishReasonOf } from './finish-reason.ts'

/**
 * Translates a choice's finish reason. The upstream's own word is kept in another field if it says more. If the
 * upstream sends that field itself, its value stays.
 */
export function tidyFinish(choice: JsonObject, hasToolCalls: boolean, quirks: OpenAiQuirks): void {
  const stated = choice.native_finish_reason
  if (typeof stated === 'string') choice.native_finish_reason = nativeReason(stated)
  const native = choice.finish_reason
  if (typeof native !== 'string' || native === '') {
    choice.finish_reason = null
    return
  }
  const known = finishReasonOf(native, quirks)
  // Some upstreams report a plain stop when the model stopped to call its tools.
  const reason = known === 'stop' && hasToolCalls ? 'tool_calls' : known
  choice.finish_reason = reason
  if (reason !== native && typeof stated !== 'string') choice.native_finish_reason = nativeReason(native)
}
