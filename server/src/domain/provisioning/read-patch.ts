import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import { type PatchPath, parsePatchPath } from './patch-path.ts'
import { ScimRefusal } from './scim-refusal.ts'

/** One change of a PATCH request. An operation without a path becomes one for each attribute of its value. */
export interface PatchOperation {
  readonly verb: 'add' | 'replace' | 'remove'
  readonly path: PatchPath
  readonly value: JsonValue | undefined
}

const operationsMax = 1_000

/** Reads the operations of a PATCH body. Entra writes their names in Pascal case. */
export function readPatch(body: JsonObject): PatchOperation[] {
  const operations = attributeOf(body, 'operations')
  if (!Array.isArray(operations) || operations.length === 0) {
    throw new ScimRefusal('invalidSyntax', 'A PATCH needs an array of Operations.')
  }
  assertBounded(operations.length)
  const read = operations.flatMap(readOperation)
  // An operation without a path has become several.
  assertBounded(read.length)
  return read
}

function assertBounded(count: number): void {
  if (count > operationsMax) throw new ScimRefusal('tooMany', `A PATCH can have at most ${operationsMax} operations.`)
}

function readOperation(operation: JsonValue): PatchOperation[] {
  if (!isJsonObject(operation)) throw new ScimRefusal('invalidSyntax', 'Each operation must be an object.')
  const verb = readVerb(attributeOf(operation, 'op'))
  const path = attributeOf(operation, 'path')
  const value = attributeOf(operation, 'value')
  if (verb !== 'remove' && value === undefined) {
    throw new ScimRefusal('invalidValue', `The operation "${verb}" needs a value.`)
  }
  if (path !== undefined && path !== null && path !== '') {
    if (typeof path !== 'string') throw new ScimRefusal('invalidPath', 'path must be a string.')
    return [{ verb, path: parsePatchPath(path), value }]
  }
  if (verb === 'remove') throw new ScimRefusal('noTarget', 'The operation "remove" needs a path.')
  if (!isJsonObject(value)) {
    throw new ScimRefusal('invalidValue', 'An operation without a path needs an object as its value.')
  }
  // Names may be paths themselves: Entra sends {"name.givenName": "Ada"}.
  return Object.entries(value)
    .filter(([name]) => name.toLowerCase() !== 'schemas')
    .map(([name, part]) => ({ verb, path: parsePatchPath(name), value: part }))
}

function readVerb(op: JsonValue | undefined): PatchOperation['verb'] {
  const verb = typeof op === 'string' ? op.toLowerCase() : ''
  if (verb === 'add' || verb === 'replace' || verb === 'remove') return verb
  throw new ScimRefusal('invalidSyntax', 'op must be add, replace or remove.')
}

/** Names of attributes are case-insensitive in SCIM. */
export function attributeOf(object: JsonObject, name: string): JsonValue | undefined {
  const exact = object[name]
  if (exact !== undefined) return exact
  const key = Object.keys(object).find((other) => other.toLowerCase() === name.toLowerCase())
  return key === undefined ? undefined : object[key]
}
