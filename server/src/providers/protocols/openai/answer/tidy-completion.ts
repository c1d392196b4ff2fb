import { countAt, isJsonObject, type JsonObject, type JsonValue, stringAt } from '#lib/json.ts'
import type { OpenAiQuirks } from '#providers/spec.ts'
import { dropOurOwn } from './drop-our-own.ts'
import { createThinkTags } from './think-tags.ts'
import { tidyFinish } from './tidy-finish.ts'
import { tidyReasoning } from './tidy-reasoning.ts'
import { choicesMax } from './tidy-chunk.ts'
import { argumentsText } from './tidy-tool-deltas.ts'

/** Normalizes a whole completion for clients, in place, as `tidyChunk` does for streams. */
export function tidyCompletion(body: JsonObject, quirks: OpenAiQuirks): void {
  dropOurOwn(body)
  body.object = 'chat.completion'
  const choices = Array.isArray(body.choices) ? body.choices.slice(0, choicesMax).filter(isJsonObject) : []
  body.choices = choices
  choices.forEach((choice, position) => tidyChoice(choice, position, quirks))
}

function tidyChoice(choice: JsonObject, position: number, quirks: OpenAiQuirks): void {
  choice.index = countAt(choice, 'index') ?? position
  delete choice.delta
  delete choice.usage
  const message = isJsonObject(choice.message) ? choice.message : {}
  choice.message = message
  message.role = 'assistant'
  tidyReasoning(message, quirks.thinkTags ? createThinkTags() : undefined, true)
  if (typeof message.content !== 'string') message.content = null
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isJsonObject) : []
  if (calls.length > 0) message.tool_calls = calls.map(tidyCall)
  else delete message.tool_calls
  tidyFinish(choice, calls.length > 0, quirks)
}

function tidyCall(call: JsonObject, position: number): JsonValue {
  const rest = { ...call }
  delete rest.index
  const id = stringAt(call, 'id') || `call_${position}`
  if (isJsonObject(call.custom)) return { ...rest, id }
  const called = isJsonObject(call.function) ? call.function : {}
  const text = argumentsText(called.arguments)
  // Clients parse the arguments, and an empty string is not JSON.
  const name = stringAt(called, 'name') ?? ''
  return { ...rest, id, type: 'function', function: { ...called, name, arguments: text === '' ? '{}' : text } }
}
