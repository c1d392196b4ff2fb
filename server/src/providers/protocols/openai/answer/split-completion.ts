import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import { argumentsText } from './tidy-tool-deltas.ts'

/**
 * Splits a normalized completion into chunks, for an upstream that sends a document although a stream was requested:
 * for each choice the text, the tool calls, and the end.
 */
export function splitCompletion(body: JsonObject): JsonObject[] {
  const { choices, ...envelope } = body
  delete envelope.usage
  envelope.object = 'chat.completion.chunk'
  const list = Array.isArray(choices) ? choices.filter(isJsonObject) : []
  return list.flatMap(splitChoice).map((choice) => ({ ...envelope, choices: [choice] }))
}

function splitChoice(choice: JsonObject): JsonObject[] {
  const { index, message, logprobs, finish_reason: finishReason, ...rest } = choice
  const { tool_calls: calls, ...said } = isJsonObject(message) ? message : {}
  const spoken = logprobs === undefined ? {} : { logprobs }
  const chunks: JsonObject[] = [{ index, delta: said, ...spoken, finish_reason: null }]
  if (Array.isArray(calls)) {
    const deltas = calls.flatMap(splitCall)
    chunks.push(...deltas.map((delta) => ({ index, delta: { tool_calls: [delta] }, finish_reason: null })))
  }
  chunks.push({ index, delta: {}, ...rest, finish_reason: finishReason ?? null })
  return chunks
}

function splitCall(call: JsonValue, index: number): JsonObject[] {
  if (!isJsonObject(call)) return []
  if (!isJsonObject(call.function)) return [{ ...call, index }]
  const text = argumentsText(call.function.arguments)
  return [
    { ...call, index, function: { ...call.function, arguments: '' } },
    { index, function: { arguments: text } },
  ]
}
