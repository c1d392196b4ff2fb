import { countAt, isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'

/** The tool calls of one choice so far. */
export interface ToolCallsState {
  /** By our index. */
  readonly calls: Map<number, ToolCallState>
  /** Which call a delta with this upstream index continues. Differs from ours where a host repeats an index. */
  readonly byUpstreamIndex: Map<number, ToolCallState>
  last: ToolCallState | undefined
}

interface ToolCallState {
  readonly index: number
  id: string
  name: string
  /** Arguments that arrived before the name did: identity goes first, and never changes. */
  early: string
  isOpen: boolean
  hasArguments: boolean
}

export function createToolCalls(): ToolCallsState {
  return { calls: new Map(), byUpstreamIndex: new Map(), last: undefined }
}

/**
 * Tool deltas as clients put them together: the first of a call has index, id, type, name and empty arguments, later
 * ones index and arguments only. A call that arrives whole therefore becomes two deltas in the same array.
 */
export function tidyToolDeltas(deltas: readonly JsonValue[], state: ToolCallsState): JsonValue[] {
  const tidied: JsonValue[] = []
  deltas.forEach((delta, position) => {
    if (!isJsonObject(delta)) return
    // Calls of custom tools have a form of their own, which only OpenAI sends, in order.
    if (isJsonObject(delta.custom)) tidied.push(delta)
    else {
      const call = findCall(delta, { position, alone: deltas.length === 1 }, state)
      if (call !== null) tidied.push(...tidyDelta(delta, call))
    }
  })
  return tidied
}

/**
 * What is still owed when a choice ends: a call whose name never came, and arguments for a call that had none, since
 * clients parse them, and an empty text is not JSON.
 */
export function closeToolCalls(state: ToolCallsState): JsonValue[] {
  return [...state.calls.values()].flatMap((call) => {
    const owed = call.isOpen ? [] : open(call, {})
    if (!call.hasArguments) owed.push({ index: call.index, function: { arguments: '{}' } })
    call.hasArguments = true
    return owed
  })
}

/** Arguments as text, whichever way the host sent them. */
export function argumentsText(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}

function tidyDelta(delta: JsonObject, call: ToolCallState): JsonObject[] {
  const called = isJsonObject(delta.function) ? delta.function : {}
  const text = argumentsText(called.arguments)
  call.hasArguments ||= text !== ''
  if (call.isOpen) return [{ index: call.index, function: { arguments: text } }]
  call.id ||= nonEmpty(delta.id)
  call.name ||= nonEmpty(called.name)
  call.early += text
  if (call.name === '') return []
  return open(call, delta)
}

function open(call: ToolCallState, delta: JsonObject): JsonObject[] {
  const { index, name, early } = call
  call.isOpen = true
  call.id ||= `call_${index}`
  const first = { ...delta, index, id: call.id, type: 'function', function: { name, arguments: '' } }
  return early === '' ? [first] : [first, { index, function: { arguments: early } }]
}

/**
 * Which call a delta belongs to. An id and a name together that differ from what the index stands for begin another
 * call, because some hosts send index 0 for all. An id alone does not: some hosts send a fresh one with every delta.
 * Null for a call beyond what one message may have.
 */
function findCall(
  delta: JsonObject,
  place: { position: number; alone: boolean },
  state: ToolCallsState,
): ToolCallState | null {
  const id = nonEmpty(delta.id)
  const name = isJsonObject(delta.function) ? nonEmpty(delta.function.name) : ''
  const stated = countAt(delta, 'index')
  const continuesLast = stated === undefined && id === '' && place.alone && state.last !== undefined
  const known = continuesLast ? state.last : state.byUpstreamIndex.get(stated ?? place.position)
  const isOther = known !== undefined && id !== '' && name !== '' && known.id !== '' && known.id !== id
  if (known !== undefined && !isOther) {
    state.last = known
    return known
  }
  const sameId = id === '' ? undefined : [...state.calls.values()].find((call) => call.id === id)
  if (sameId === undefined && state.calls.size >= callsMax) return null
  const call = sameId ?? addCall(stated ?? place.position, state)
  state.byUpstreamIndex.set(stated ?? place.position, call)
  state.last = call
  return call
}

// No model makes this many calls. Each stays in memory until its choice ends, and every new call searches all of them.
const callsMax = 1_000

function addCall(wanted: number, { calls }: ToolCallsState): ToolCallState {
  const index = calls.has(wanted) ? Math.max(...calls.keys()) + 1 : wanted
  const call = { index, id: '', name: '', early: '', isOpen: false, hasArguments: false }
  calls.set(index, call)
  return call
}

function nonEmpty(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
