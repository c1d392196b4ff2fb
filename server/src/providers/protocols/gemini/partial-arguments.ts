import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '#lib/json.ts'

/** Assembles arguments that arrive value by value, each with its path. */
export interface PartialArguments {
  add(pieces: JsonValue | undefined): void
  /** Values that arrived whole, under their own names. */
  merge(values: JsonObject): void
  toJson(): string
}

export function createPartialArguments(): PartialArguments {
  const root: JsonObject = Object.create(null)
  return {
    add(pieces) {
      if (Array.isArray(pieces)) for (const piece of pieces) if (isJsonObject(piece)) addPiece(root, piece)
    },
    merge(values) {
      for (const [key, value] of Object.entries(values)) root[key] = value
    },
    toJson: () => JSON.stringify(root),
  }
}

/** Deeper than any schema. A longer path is ignored, so that serializing the result cannot exhaust the stack. */
const stepsMax = 64

function addPiece(root: JsonObject, piece: JsonObject): void {
  const steps = parsePath(stringAt(piece, 'jsonPath') ?? '')
  const value = valueOf(piece)
  if (steps.length === 0 || steps.length > stepsMax || value === undefined) return
  let holder: JsonObject | JsonValue[] = root
  steps.slice(0, -1).forEach((step, position) => {
    holder = childOf(holder, step, steps[position + 1])
  })
  const last = steps.at(-1) ?? ''
  const earlier = valueAt(holder, last)
  // Pieces of one string repeat the same path.
  setAt(holder, last, typeof value === 'string' && typeof earlier === 'string' ? earlier + value : value)
}

function valueOf(piece: JsonObject): JsonValue | undefined {
  if ('nullValue' in piece) return null
  return piece.stringValue ?? piece.numberValue ?? piece.boolValue
}

type PathStep = string | number

/** `$.city`, `$.stops[0].name`, `$['odd key']`. */
function parsePath(path: string): PathStep[] {
  const steps: PathStep[] = []
  for (const match of path.matchAll(/\.?([^.[\]$]+)|\[(\d+)\]|\[(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]/g)) {
    const [, name, index, single, double] = match
    if (index !== undefined) steps.push(Number(index))
    else steps.push(name ?? (single ?? double ?? '').replace(/\\(.)/g, '$1'))
  }
  return steps
}

function childOf(
  holder: JsonObject | JsonValue[],
  step: PathStep,
  next: PathStep | undefined,
): JsonObject | JsonValue[] {
  const existing = valueAt(holder, step)
  if (Array.isArray(existing) || isJsonObject(existing)) return existing
  const child: JsonObject | JsonValue[] = typeof next === 'number' ? [] : Object.create(null)
  setAt(holder, step, child)
  return child
}

function valueAt(holder: JsonObject | JsonValue[], step: PathStep): JsonValue | undefined {
  if (Array.isArray(holder)) return typeof step === 'number' ? holder[step] : undefined
  return holder[step]
}

function setAt(holder: JsonObject | JsonValue[], step: PathStep, value: JsonValue): void {
  if (!Array.isArray(holder)) holder[step] = value
  // Arrays grow by one at a time, whatever index a path claims.
  else if (typeof step === 'number') holder[Math.min(step, holder.length)] = value
}
