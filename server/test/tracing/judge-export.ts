import { type Attributes, createTraceState, type HrTime } from '@opentelemetry/api'
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer'
import { expect } from 'vitest'
import { isJsonObject, type JsonObject, type JsonValue, parseJsonObject } from '#lib/json.ts'
import { attributesOf, readSpans } from '#test/usage/otlp-form.ts'

type ReadableSpan = Parameters<typeof JsonTraceSerializer.serializeRequest>[0][number]

/** A span of an export for assertions. */
export interface SeenSpan {
  readonly name: string
  readonly kind: number
  readonly flags: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly startNs: bigint
  readonly endNs: bigint
  readonly attributes: Record<string, unknown>
  readonly events: readonly string[]
  readonly isError: boolean
}

/**
 * The spans of an export, after two validations: the OTLP messages, field by field, and OpenTelemetry's own serializer,
 * which must write the same document from the same spans.
 */
export function judgeExport(body: string): SeenSpan[] {
  const spans = readSpans(body)
  const document = parseJsonObject(body) ?? {}
  const [resourceSpans = {}] = objectsIn(document['resourceSpans'])
  const [scopeSpans = {}] = objectsIn(resourceSpans['scopeSpans'])
  const resource = { attributes: plainAttributes(objectAt(resourceSpans, 'resource')) }
  const scope = objectAt(scopeSpans, 'scope')
  const instrumentationScope = { name: String(scope['name']), version: String(scope['version']) }
  const readable = spans.map((span) => readableOf(span, resource, instrumentationScope))
  const written = Buffer.from(JsonTraceSerializer.serializeRequest(readable) ?? []).toString('utf8')
  expect(comparable(JSON.parse(body))).toEqual(comparable(JSON.parse(written)))
  return spans.map(seenOf)
}

function seenOf(span: JsonObject): SeenSpan {
  return {
    name: String(span['name']),
    kind: Number(span['kind']),
    flags: Number(span['flags']),
    traceId: String(span['traceId']),
    spanId: String(span['spanId']),
    parentSpanId: typeof span['parentSpanId'] === 'string' ? span['parentSpanId'] : undefined,
    startNs: BigInt(String(span['startTimeUnixNano'])),
    endNs: BigInt(String(span['endTimeUnixNano'])),
    attributes: attributesOf(span),
    events: objectsIn(span['events']).map(({ name }) => String(name)),
    isError: objectAt(span, 'status')['code'] === 2,
  }
}

function readableOf(
  span: JsonObject,
  resource: { attributes: Attributes },
  instrumentationScope: { name: string; version: string },
): ReadableSpan {
  const flags = Number(span['flags'])
  const traceId = String(span['traceId'])
  const traceState = typeof span['traceState'] === 'string' ? { traceState: createTraceState(span['traceState']) } : {}
  const parent = span['parentSpanId']
  return {
    name: String(span['name']),
    kind: Number(span['kind']) - 1,
    spanContext: () => ({ traceId, spanId: String(span['spanId']), traceFlags: flags & 0xff, ...traceState }),
    ...(typeof parent === 'string'
      ? { parentSpanContext: { traceId, spanId: parent, traceFlags: 1, isRemote: (flags & 0x200) !== 0 } }
      : {}),
    startTime: hrTime(span['startTimeUnixNano']),
    endTime: hrTime(span['endTimeUnixNano']),
    status: { code: Number(objectAt(span, 'status')['code'] ?? 0) },
    attributes: plainAttributes(span),
    links: [],
    events: objectsIn(span['events']).map(({ name, timeUnixNano }) => ({
      name: String(name),
      time: hrTime(timeUnixNano),
    })),
    duration: [0, 0],
    ended: true,
    resource: resource as ReadableSpan['resource'],
    instrumentationScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

function plainAttributes(holder: JsonObject): Attributes {
  const entries = Object.entries(attributesOf(holder))
  return Object.fromEntries(
    entries.map(([key, value]) => [key, typeof value === 'bigint' ? Number(value) : value]),
  ) as Attributes
}

function hrTime(nanos: JsonValue | undefined): HrTime {
  const text = String(nanos)
  return [Number(text.slice(0, -9)), Number(text.slice(-9))]
}

// Empty values may be omitted, and 64-bit integers may be numbers or strings.
const empty = new Set([
  'droppedAttributesCount',
  'droppedEventsCount',
  'droppedLinksCount',
  'links',
  'events',
  'attributes',
])

function comparable(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(comparable)
  if (!isJsonObject(value)) return value
  if ('intValue' in value || 'doubleValue' in value)
    return { number: Number(value['intValue'] ?? value['doubleValue']) }
  const entries = Object.entries(value).filter(([name, member]) => {
    if (empty.has(name)) return member !== 0 && !(Array.isArray(member) && member.length === 0)
    return !(name === 'status' && isJsonObject(member) && member['code'] === 0)
  })
  return Object.fromEntries(entries.map(([name, member]) => [name, comparable(member ?? null)]))
}

function objectsIn(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

function objectAt(holder: JsonObject, name: string): JsonObject {
  const member = holder[name]
  return isJsonObject(member) ? member : {}
}
