import { countAt, isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '#lib/json.ts'
import { numberFor } from './number-for.ts'

const depthMax = 32
const nodesMax = 1000
const itemsMax = 100
// From this depth on, branches with references are avoided, so that a recursive schema ends.
const depthOfChoice = 8

/**
 * A minimal valid instance of a JSON schema: required properties only, the first allowed value, the smallest number. It
 * ignores `pattern`, `not` and conditionals. Clients write the schema, so depth and size are bounded.
 */
export function instanceOf(schema: JsonObject): JsonValue {
  return build(schema, 'text', { root: schema, depth: 0, nodes: { left: nodesMax } })
}

interface Place {
  readonly root: JsonObject
  readonly depth: number
  readonly nodes: { left: number }
}

function build(schema: JsonObject, name: string, place: Place): JsonValue {
  place.nodes.left -= 1
  if (place.depth > depthMax || place.nodes.left < 0) return null
  const inside = { ...place, depth: place.depth + 1 }
  const reference = stringAt(schema, '$ref')
  if (reference !== undefined) return build(resolve(reference, place.root), name, inside)
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? null
  const branch = chooseBranch(schema, place.depth)
  if (branch !== undefined) return build(merge(without(schema, ['anyOf', 'oneOf']), branch), name, inside)
  if (Array.isArray(schema.allOf)) {
    const parts = schema.allOf.filter(isJsonObject).map((part) => follow(part, place.root))
    return build(parts.reduce(merge, without(schema, ['allOf'])), name, inside)
  }
  return buildType(schema, name, inside)
}

function buildType(schema: JsonObject, name: string, place: Place): JsonValue {
  switch (typeOf(schema)) {
    case 'object':
      return buildObject(schema, place)
    case 'array':
      return buildArray(schema, name, place)
    case 'integer':
      return numberFor(schema, 1)
    case 'number':
      return numberFor(schema, 0)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return textFor(schema, name)
  }
}

function typeOf(schema: JsonObject): string {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (typeof type === 'string') return type
  if (schema.properties !== undefined || schema.required !== undefined) return 'object'
  return schema.items !== undefined || schema.prefixItems !== undefined ? 'array' : 'string'
}

function buildObject(schema: JsonObject, place: Place): JsonObject {
  const properties = objectAt(schema, 'properties')
  const required = Array.isArray(schema.required) ? schema.required : []
  const names = required.filter((name) => typeof name === 'string').slice(0, nodesMax)
  return Object.fromEntries(names.map((name) => [name, build(objectAt(properties, name), name, place)]))
}

function buildArray(schema: JsonObject, name: string, place: Place): JsonValue[] {
  const first = Array.isArray(schema.prefixItems) ? schema.prefixItems.filter(isJsonObject) : []
  const items = objectAt(schema, 'items')
  const least = typeof schema.minItems === 'number' ? Math.min(schema.minItems, itemsMax) : 0
  return Array.from({ length: Math.max(0, Math.ceil(least)) }, (_, at) => build(first[at] ?? items, name, place))
}

function chooseBranch(schema: JsonObject, depth: number): JsonObject | undefined {
  const branches = Array.isArray(schema.anyOf) ? schema.anyOf : Array.isArray(schema.oneOf) ? schema.oneOf : []
  const known = branches.filter(isJsonObject)
  const plain = depth < depthOfChoice ? undefined : known.find((branch) => branch.$ref === undefined)
  return plain ?? known[0]
}

function follow(schema: JsonObject, root: JsonObject): JsonObject {
  const reference = stringAt(schema, '$ref')
  return reference === undefined ? schema : resolve(reference, root)
}

/** Only references inside the document: `#`, `#/$defs/city`. */
function resolve(reference: string, root: JsonObject): JsonObject {
  const keys = reference.split('/').slice(1, depthMax)
  return keys.reduce((parent, key) => objectAt(parent, key.replaceAll('~1', '/').replaceAll('~0', '~')), root)
}

/** Merges two schemas: properties and required names are joined, elsewhere the second one wins. */
function merge(one: JsonObject, other: JsonObject): JsonObject {
  const required = [one.required, other.required].flatMap((names) => (Array.isArray(names) ? names : []))
  const merged: JsonObject = { ...one, ...other }
  merged.properties = { ...objectAt(one, 'properties'), ...objectAt(other, 'properties') }
  if (Object.keys(objectAt(merged, 'properties')).length === 0) delete merged.properties
  if (required.length > 0) merged.required = [...new Set(required)]
  return merged
}

function without(schema: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)))
}

const lengthMax = 10_000

/** The name of the property, which reads well in a transcript, in the format and length that the schema requires. */
function textFor(schema: JsonObject, name: string): string {
  const formatted = formats.get(stringAt(schema, 'format') ?? '')
  if (formatted !== undefined) return formatted
  const least = Math.min(countAt(schema, 'minLength') ?? 0, lengthMax)
  const most = countAt(schema, 'maxLength') ?? lengthMax
  return name.padEnd(least, 'x').slice(0, most)
}

const formats = new Map([
  ['date-time', '2000-01-01T00:00:00Z'],
  ['date', '2000-01-01'],
  ['time', '00:00:00Z'],
  ['duration', 'P1D'],
  ['email', 'test@example.com'],
  ['hostname', 'example.com'],
  ['ipv4', '192.0.2.1'],
  ['ipv6', '2001:db8::1'],
  ['uri', 'https://example.com/'],
  ['uuid', '00000000-0000-4000-8000-000000000000'],
])
