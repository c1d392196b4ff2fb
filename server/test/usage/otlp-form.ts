import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'

/**
 * Validates a trace export by the OTLP messages (trace.proto, common.proto, resource.proto) and their JSON form. It is
 * stricter than a receiver may be: receivers ignore unknown fields, so a misspelt field would be lost silently.
 */
type Judge = (value: JsonValue, place: string) => void

function refuse(place: string, expected: string): never {
  throw new Error(`${place} is not ${expected}`)
}

const text: Judge = (value, place) => void (typeof value === 'string' || refuse(place, 'a string'))
const bool: Judge = (value, place) => void (typeof value === 'boolean' || refuse(place, 'a boolean'))
const double: Judge = (value, place) => void (typeof value === 'number' || refuse(place, 'a number'))
const count: Judge = (value, place) => void (Number.isSafeInteger(value) || refuse(place, 'a whole number'))
const matches =
  (form: RegExp, expected: string): Judge =>
  (value, place) =>
    void ((typeof value === 'string' && form.test(value)) || refuse(place, expected))
const signed = matches(/^-?(0|[1-9]\d{0,18})$/, 'a whole number of 64 bits as text')
const unsigned = matches(/^(0|[1-9]\d{0,19})$/, 'a natural number of 64 bits as text')
const hex = (bytes: number): Judge =>
  matches(new RegExp(`^(?!0+$)[0-9a-f]{${bytes * 2}}$`, 'i'), `${bytes} bytes in hexadecimal that are not all zero`)
const oneOf =
  (max: number): Judge =>
  (value, place) =>
    void (
      (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max) ||
      refuse(place, `one of the ${max + 1} numbers of its enumeration`)
    )

const list =
  (judge: Judge): Judge =>
  (value, place) => {
    if (!Array.isArray(value)) return refuse(place, 'a list')
    for (const [index, entry] of value.entries()) judge(entry, `${place}[${index}]`)
  }

function message(fields: Readonly<Record<string, Judge>>, required: readonly string[] = []): Judge {
  return (value, place) => {
    if (!isJsonObject(value)) return refuse(place, 'an object')
    for (const name of required) if (!(name in value)) refuse(`${place}.${name}`, 'there')
    for (const [name, member] of Object.entries(value)) {
      const judge = fields[name] ?? refuse(`${place}.${name}`, 'a field of its message')
      judge(member ?? null, `${place}.${name}`)
    }
  }
}

const anyValue: Judge = (value, place) => {
  if (isJsonObject(value) && Object.keys(value).length !== 1) refuse(place, 'exactly one value')
  message({
    stringValue: text,
    boolValue: bool,
    intValue: signed,
    doubleValue: double,
    arrayValue: message({ values: list((entry, at) => anyValue(entry, at)) }),
  })(value, place)
}

const keyValues: Judge = (value, place) => {
  list(message({ key: text, value: anyValue }, ['key', 'value']))(value, place)
  const keys = (Array.isArray(value) ? value : []).map((entry) => (isJsonObject(entry) ? entry['key'] : null))
  if (new Set(keys).size !== keys.length) refuse(place, 'free of repeated keys')
}

const span = message(
  {
    traceId: hex(16),
    spanId: hex(8),
    parentSpanId: hex(8),
    traceState: text,
    flags: count,
    name: text,
    kind: oneOf(5),
    startTimeUnixNano: unsigned,
    endTimeUnixNano: unsigned,
    attributes: keyValues,
    droppedAttributesCount: count,
    events: list(message({ timeUnixNano: unsigned, name: text, attributes: keyValues }, ['timeUnixNano', 'name'])),
    status: message({ message: text, code: oneOf(2) }),
  },
  ['traceId', 'spanId', 'name', 'kind', 'startTimeUnixNano', 'endTimeUnixNano'],
)

const traces = message(
  {
    resourceSpans: list(
      message({
        resource: message({ attributes: keyValues, droppedAttributesCount: count }),
        scopeSpans: list(
          message({
            scope: message({ name: text, version: text, attributes: keyValues }),
            spans: list(span),
            schemaUrl: text,
          }),
        ),
        schemaUrl: text,
      }),
    ),
  },
  ['resourceSpans'],
)

/** The spans of an export, after validation. */
export function readSpans(body: string): JsonObject[] {
  const value: JsonValue = JSON.parse(body)
  traces(value, 'traces')
  return parts(value, 'resourceSpans').flatMap((resource) =>
    parts(resource, 'scopeSpans').flatMap((scope) => parts(scope, 'spans')),
  )
}

function parts(parent: JsonValue | undefined, name: string): JsonObject[] {
  const member = isJsonObject(parent) ? parent[name] : undefined
  return Array.isArray(member) ? member.filter(isJsonObject) : []
}

/** Attributes by key; integers as bigint. */
export function attributesOf({ attributes }: JsonObject): Record<string, unknown> {
  const entries = (Array.isArray(attributes) ? attributes : []).filter(isJsonObject)
  return Object.fromEntries(entries.map(({ key, value }) => [String(key), isJsonObject(value) ? plain(value) : null]))
}

function plain(value: JsonObject): unknown {
  if (typeof value['intValue'] === 'string') return BigInt(value['intValue'])
  const array = value['arrayValue']
  const values = isJsonObject(array) ? array['values'] : undefined
  if (Array.isArray(values)) return values.filter(isJsonObject).map(plain)
  return value['stringValue'] ?? value['boolValue'] ?? value['doubleValue']
}
