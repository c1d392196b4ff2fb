import { type JsonObject, objectAt, objectsIn } from '#lib/json.ts'

export function choicesOf(chunk: JsonObject): readonly JsonObject[] {
  return objectsIn(chunk.choices)
}

/** The finish reason of the first choice that has one. */
export function finishOf(chunk: JsonObject): string | null {
  for (const choice of choicesOf(chunk)) if (typeof choice.finish_reason === 'string') return choice.finish_reason
  return null
}

/** Removes the reasoning text from deltas and whole messages. */
export function dropReasoning(body: JsonObject): void {
  for (const choice of choicesOf(body)) {
    for (const holder of [objectAt(choice, 'delta'), objectAt(choice, 'message')]) {
      delete holder.reasoning
      delete holder.reasoning_details
    }
  }
}
