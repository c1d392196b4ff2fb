import { countAt, isJsonObject, type JsonObject, type JsonValue, stringAt } from '#lib/json.ts'

/** Joins normalized chunks into one completion, for an upstream that streams although no stream was requested. */
export function joinChunks(chunks: readonly JsonObject[]): JsonObject {
  const body: JsonObject = {}
  const choices = new Map<number, JoinedChoice>()
  for (const chunk of chunks) {
    joinEnvelope(body, chunk)
    if (!Array.isArray(chunk.choices)) continue
    for (const choice of chunk.choices) {
      if (isJsonObject(choice)) joinChoice(choiceAt(countAt(choice, 'index') ?? 0, choices), choice)
    }
  }
  body.object = 'chat.completion'
  const ordered = [...choices.values()].sort((one, other) => one.index - other.index)
  return { ...body, choices: ordered.map(completeChoice) }
}

interface JoinedChoice {
  index: number
  /** Everything in the choice except its delta. The last value counts. */
  rest: JsonObject
  message: JsonObject
  calls: Map<number, JsonObject>
}

const notShared = new Set(['choices', 'usage', '__proto__'])
const saidOnce = new Set(['id', 'created', 'model'])

/** The first chunk may have an empty id and no time. Sources and similar fields are repeated and grow. */
function joinEnvelope(body: JsonObject, chunk: JsonObject): void {
  for (const key of Object.keys(chunk)) {
    const value = chunk[key]
    if (notShared.has(key) || value === null || (saidOnce.has(key) && body[key])) continue
    body[key] = value
  }
}

function choiceAt(index: number, choices: Map<number, JoinedChoice>): JoinedChoice {
  const known = choices.get(index)
  if (known !== undefined) return known
  const created: JoinedChoice = { index, rest: {}, message: { role: 'assistant', content: null }, calls: new Map() }
  choices.set(index, created)
  return created
}

function joinChoice(joined: JoinedChoice, choice: JsonObject): void {
  for (const key of Object.keys(choice)) {
    if (key === 'delta' || key === '__proto__') continue
    const value = choice[key]
    if (key === 'logprobs') joined.rest.logprobs = joinLogprobs(joined.rest.logprobs, value)
    else if (value !== null || joined.rest[key] === undefined) joined.rest[key] = value
  }
  if (!isJsonObject(choice.delta)) return
  for (const key of Object.keys(choice.delta)) joinMember(joined, key, choice.delta[key])
}

function joinMember({ message, calls }: JoinedChoice, key: string, value: JsonValue | undefined): void {
  const before = message[key]
  if (key === '__proto__' || key === 'role' || value === null || value === undefined) return
  if (key === 'tool_calls' && Array.isArray(value)) joinCalls(calls, value)
  else if (key === 'reasoning_details' && Array.isArray(value)) message[key] = joinDetails(before, value)
  else if (typeof value === 'string' && typeof before === 'string') message[key] = before + value
  else if (Array.isArray(value) && Array.isArray(before)) message[key] = [...before, ...value]
  else message[key] = value
}

function joinCalls(calls: Map<number, JsonObject>, deltas: readonly JsonValue[]): void {
  for (const delta of deltas) {
    if (!isJsonObject(delta)) continue
    const { index, ...call } = delta
    const place = typeof index === 'number' ? index : calls.size
    const before = calls.get(place)
    if (before === undefined) calls.set(place, call)
    else calls.set(place, { ...before, ...joinCalled('function', before, call), ...joinCalled('custom', before, call) })
  }
}

/** The name comes from the first delta; `arguments`, or a custom tool's `input`, grow. */
function joinCalled(kind: 'function' | 'custom', before: JsonObject, call: JsonObject): JsonObject {
  const [old, added] = [before[kind], call[kind]]
  if (!isJsonObject(added)) return {}
  if (!isJsonObject(old)) return { [kind]: added }
  const grown = kind === 'function' ? 'arguments' : 'input'
  return { [kind]: { ...old, [grown]: (stringAt(old, grown) ?? '') + (stringAt(added, grown) ?? '') } }
}

/** Joins the pieces of one detail, because its signature is valid only for the whole text. */
function joinDetails(before: JsonValue | undefined, added: readonly JsonValue[]): JsonValue[] {
  const details = Array.isArray(before) ? [...before] : []
  for (const detail of added) {
    const last = details.at(-1)
    if (isJsonObject(last) && isJsonObject(detail) && last.type === detail.type && last.index === detail.index) {
      details[details.length - 1] = { ...last, ...withoutNulls(detail), ...grownTexts(last, detail) }
    } else {
      details.push(detail)
    }
  }
  return details
}

function withoutNulls(detail: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(detail).filter(([, value]) => value !== null))
}

function grownTexts(last: JsonObject, detail: JsonObject): JsonObject {
  const grown: JsonObject = {}
  for (const key of ['text', 'summary', 'data']) {
    const [old, added] = [stringAt(last, key), stringAt(detail, key)]
    if (old !== undefined || added !== undefined) grown[key] = (old ?? '') + (added ?? '')
  }
  return grown
}

function joinLogprobs(before: JsonValue | undefined, added: JsonValue | undefined): JsonValue {
  if (!isJsonObject(added)) return before ?? null
  if (!isJsonObject(before)) return added
  const joined: JsonObject = { ...before }
  for (const key of ['content', 'refusal']) {
    const [old, more] = [before[key], added[key]]
    if (Array.isArray(more)) joined[key] = Array.isArray(old) ? [...old, ...more] : more
  }
  return joined
}

function completeChoice({ index, rest, message, calls }: JoinedChoice): JsonObject {
  const ordered = [...calls].sort(([one], [other]) => one - other).map(([, call]) => call)
  // An empty text in a message with tool calls counts as no text.
  if (ordered.length > 0) Object.assign(message, { content: message.content || null, tool_calls: ordered })
  return { ...rest, index, message }
}
