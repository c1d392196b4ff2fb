import { countAt, isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'

/** The tool calls of one choice so far. */
export interface ToolCallsState {
  /** By our index. */
  readonly calls: Map<number, ToolCallState>
  /** The call that a delta with this upstream index continues. It differs from ours if an upstream repeats an index. */
  readonly byUpstreamIndex: Map<number, ToolCallState>
  last: ToolCallState | undefined
}

interface ToolCallState {
  readonly index: number
  id: string
  name: string
  /** Arguments that arrived before the name: the identity is sent first and never changes. */
  early: string
  isOpen: boolean
  hasArguments: boolean
}

export function createToolCalls(): ToolCallsState {
  return { calls: new Map(), byUpstreamIndex: new Map(), last: undefined }
}

/**
 * Tool deltas in the form that clients assemble: the first of a call has index, id, type, name and empty arguments,
 * later ones only index and arguments. A call that arrives whole therefore becomes two deltas in the same array.
 */
export function tidyToolDeltas(deltas: readonly JsonValue[], state: ToolCallsState): JsonValue[] {
  const tidied: JsonValue[] = []
  deltas.forEach((delta, position) => {
    if (!isJsonObject(delta)) return
    // Calls of custom tools have their own form, which only OpenAI sends, in order.
    if (isJsonObject(delta.custom)) tidied.push(delta)
    else {
      const call = findCall(delta, { position, alone: deltas.length === 1 }, state)
      if (call !== null) tidied.push(...tidyDelta(delta, call))
    }
  })
  return tidied
}

/**
 * The deltas that are still missing when a choice ends: a call whose name never arrived, and arguments for a call
 * without any, since clients parse them and an empty string is not JSON.
 */
export function closeToolCalls(state: ToolCallsState): JsonValue[] {
  return [...state.calls.values()].flatMap((call) => {
    const owed = call.isOpen ? [] : open(call, {})
    if (!call.hasArguments) owed.push({ index: call.index, function: { arguments: '{}' } })
    call.hasArguments = true
    return owed
  })
}

/** Arguments as a string, whatever type the upstream used. */
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
 * The call that a delta belongs to. An id and a name together that differ from those of the index begin another call,
 * because some upstreams send index 0 for all calls. An id alone does not: some upstreams send a new id with every
 * delta. Null for a call beyond the maximum of one message.
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
