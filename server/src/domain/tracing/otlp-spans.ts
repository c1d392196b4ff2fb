import { otelAttribute, otelAttributes } from '#domain/events/otel-attributes.ts'
import { attributeNames } from '#domain/events/otel-names.ts'
import { type Span, type SpanEvent, spanKinds } from './span.ts'

/** The process that creates the spans. */
export interface TracedProcess {
  readonly serviceName: string
  /** Set by the operator, by their OpenTelemetry names. They do not replace the attributes below. */
  readonly resourceAttributes: Readonly<Record<string, string>>
  readonly version: string
  readonly hostName: string
  readonly pid: number
}

const scopeName = 'weir.gateway'
const statusError = 2
// Bits 8 and 9 of the flags: whether it is known if the parent is remote, and whether the parent is remote.
const remoteKnown = 0x100
const remote = 0x200

/**
 * Encodes an export: an `ExportTraceServiceRequest` in OTLP's JSON format. Spans are written directly as text, because
 * building objects first takes twice as long.
 */
export function createEncodeSpans(traced: TracedProcess): (spans: readonly Span[]) => string {
  const { serviceName, resourceAttributes, version, hostName, pid } = traced
  const own = otelAttributes({ serviceName, serviceVersion: version, hostName, processId: pid })
  const further = Object.entries(resourceAttributes)
    .filter(([key]) => !own.some((attribute) => attribute.key === key))
    .map(([key, value]) => ({ key, value: { stringValue: value } }))
  const resource = JSON.stringify({ attributes: [...own, ...further] })
  const scope = JSON.stringify({ name: scopeName, version })
  return (spans) =>
    `{"resourceSpans":[{"resource":${resource},"scopeSpans":[{"scope":${scope},"spans":[${spans.map(spanText).join(',')}]}]}]}`
}

function spanText(span: Span): string {
  const { start, startMs, endMs, attributes, events, isError } = span
  const { parentSpanId, state } = start
  const parent = parentSpanId === null ? '' : `"parentSpanId":"${parentSpanId}",`
  const traceState = state === null ? '' : `"traceState":${JSON.stringify(state)},`
  const flags = start.flags | remoteKnown | (start.isParentRemote ? remote : 0)
  const status = isError ? `,"status":{"code":${statusError}}` : ''
  return (
    `{"traceId":"${start.traceId}","spanId":"${start.spanId}",${parent}${traceState}"flags":${flags},` +
    `"name":${JSON.stringify(start.name)},"kind":${spanKinds[start.kind]},` +
    `"startTimeUnixNano":"${unixNanos(startMs)}","endTimeUnixNano":"${unixNanos(endMs ?? startMs)}",` +
    `"attributes":[${attributesText(attributes)}],"events":[${events.map(eventText).join(',')}]${status}}`
  )
}

function attributesText(attributes: Span['attributes']): string {
  let text = ''
  for (const [name, value] of attributes) {
    if (text !== '') text += ','
    const isText = typeof value === 'string'
    text += isText ? `${textStarts[name]}${JSON.stringify(value)}}}` : JSON.stringify(otelAttribute(name, value))
  }
  return text
}

/** Nearly all attributes are strings with the same beginning. */
const textStarts = Object.fromEntries(
  Object.entries(attributeNames).map(([name, key]) => [name, `{"key":"${key}","value":{"stringValue":`]),
)

function eventText({ name, atMs }: SpanEvent): string {
  return `{"timeUnixNano":"${unixNanos(atMs)}","name":${JSON.stringify(name)}}`
}

const nanoDigits = 6

/** Nanoseconds as a string, because a number cannot hold them: milliseconds, then their fraction. */
function unixNanos(unixMs: number): string {
  const wholeMs = Math.floor(unixMs)
  return `${wholeMs}${String(Math.floor((unixMs - wholeMs) * 1e6)).padStart(nanoDigits, '0')}`
}
