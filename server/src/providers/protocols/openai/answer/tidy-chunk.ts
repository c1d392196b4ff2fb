import { countAt, isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import type { OpenAiQuirks } from '#providers/spec.ts'
import { dropOurOwn } from './drop-our-own.ts'
import { createThinkTags, type ThinkTags } from './think-tags.ts'
import { tidyFinish } from './tidy-finish.ts'
import { tidyReasoning } from './tidy-reasoning.ts'
import { closeToolCalls, createToolCalls, type ToolCallsState, tidyToolDeltas } from './tidy-tool-deltas.ts'

/** State between the chunks of one response, by choice. */
type ChunkState = Map<number, ChoiceState>

interface ChoiceState {
  readonly tools: ToolCallsState
  readonly tags: ThinkTags
  hasRole: boolean
}

export function createChunkState(): ChunkState {
  return new Map()
}

/** Normalizes one parsed chunk for clients. The chunk belongs to us, so it is changed in place. */
export function tidyChunk(chunk: JsonObject, state: ChunkState, quirks: OpenAiQuirks): void {
  dropOurOwn(chunk)
  chunk.object = 'chat.completion.chunk'
  if (!Array.isArray(chunk.choices)) {
    chunk.choices = []
    return
  }
  if (chunk.choices.some(isExcess)) chunk.choices = chunk.choices.filter((choice) => !isExcess(choice))
  for (const choice of chunk.choices) {
    if (isJsonObject(choice)) tidyChoice(choice, stateOf(choice, state), quirks)
  }
}

// The maximum that a request can ask for. Each further choice would keep state in memory.
export const choicesMax = 128

function isExcess(choice: JsonValue): boolean {
  return isJsonObject(choice) && (countAt(choice, 'index') ?? 0) >= choicesMax
}

function stateOf(choice: JsonObject, state: ChunkState): ChoiceState {
  const index = countAt(choice, 'index') ?? 0
  const known = state.get(index)
  if (known !== undefined) return known
  const created = { tools: createToolCalls(), tags: createThinkTags(), hasRole: false }
  state.set(index, created)
  return created
}

function tidyChoice(choice: JsonObject, state: ChoiceState, quirks: OpenAiQuirks): void {
  choice.index = countAt(choice, 'index') ?? 0
  // Some upstreams repeat the whole message so far, or the usage, beside the delta.
  delete choice.message
  delete choice.usage
  const delta = isJsonObject(choice.delta) ? choice.delta : {}
  choice.delta = delta
  const isLast = typeof choice.finish_reason === 'string' && choice.finish_reason !== ''
  tidyRole(delta, state)
  tidyReasoning(delta, quirks.thinkTags ? state.tags : undefined, isLast)
  const tidied = Array.isArray(delta.tool_calls) ? tidyToolDeltas(delta.tool_calls, state.tools) : []
  const tools = isLast ? [...tidied, ...closeToolCalls(state.tools)] : tidied
  if (tools.length > 0) delta.tool_calls = tools
  else delete delta.tool_calls
  tidyFinish(choice, state.tools.calls.size > 0, quirks)
}

/** Once per choice: some clients concatenate the role of every delta and would read `assistantassistant`. */
function tidyRole(delta: JsonObject, state: ChoiceState): void {
  if (delta.role === undefined) return
  if (state.hasRole || delta.role === null) delete delta.role
  else state.hasRole = true
}
