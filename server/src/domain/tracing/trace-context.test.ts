import { ROOT_CONTEXT, trace, TraceFlags } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseTraceContext, traceParentOf } from './trace-context.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'
const good = `00-${traceId}-${spanId}-01`

/** How OpenTelemetry's own propagator reads the headers. */
function judged(traceparent: string, tracestate?: string) {
  const carrier = tracestate === undefined ? { traceparent } : { traceparent, tracestate }
  const getter = {
    keys: (headers: Record<string, string>) => Object.keys(headers),
    get: (headers: Record<string, string>, name: string) => headers[name],
  }
  const context = new W3CTraceContextPropagator().extract(ROOT_CONTEXT, carrier, getter)
  return trace.getSpanContext(context)
}

describe('a traceparent', () => {
  it.each([
    ['sampled', good, 1],
    ['not sampled', `00-${traceId}-${spanId}-00`, 0],
    ['sampled with a random trace id', `00-${traceId}-${spanId}-03`, 3],
    ['with flags of a later time, which are not passed on', `00-${traceId}-${spanId}-ff`, 3],
    ['of a later version', `cc-${traceId}-${spanId}-01`, 1],
    ['of a later version that says more', `cc-${traceId}-${spanId}-01-what-the-future-will-be`, 1],
  ])('is taken: %s', (_name, text, flags) => {
    expect(parseTraceContext(text, undefined)).toEqual({ traceId, spanId, flags, state: null })
    expect(judged(text)).toMatchObject({ traceId, spanId })
  })

  it.each([
    ['empty', ''],
    ['two of them, as a server joins them', `${good}, ${good}`],
    ['in upper case', good.toUpperCase()],
    ['without a trace', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['without a span', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['of the version that cannot be', `ff-${traceId}-${spanId}-01`],
    ['of the first version with more behind it', `${good}-more`],
    ['of the first version with a dash behind it', `${good}-`],
    ['of a later version with something stuck to it', `cc-${traceId}-${spanId}-01.more`],
    ['with a trace id that is too short', `00-${traceId.slice(1)}-${spanId}-01`],
    ['with a span id that is too long', `00-${traceId}-${spanId}0-01`],
    ['with one digit of flags', `00-${traceId}-${spanId}-1`],
    ['with letters that are no digits', `00-${traceId.replace('a', 'g')}-${spanId}-01`],
  ])('is not taken: %s', (_name, text) => {
    expect(parseTraceContext(text, undefined)).toBeNull()
    expect(judged(text)).toBeUndefined()
  })

  it('is not taken from a header that is missing or came as a list', () => {
    expect(parseTraceContext(undefined, undefined)).toBeNull()
    expect(parseTraceContext([good], undefined)).toBeNull()
  })

  it('is taken exactly where OpenTelemetry takes it, however it is damaged', () => {
    const damaged = fc
      .tuple(fc.constantFrom(good, `cc-${good.slice(3)}-more`), fc.nat(60), fc.constantFrom(...'0fgA-. '), fc.nat(2))
      .map(([text, at, letter, cut]) => text.slice(0, at) + letter + text.slice(at + cut))
      // The propagator trims blanks at both ends; an HTTP server has already done that.
      .filter((text) => text === text.trim())
    fc.assert(
      fc.property(damaged, (text) => {
        const ours = parseTraceContext(text, undefined)
        const theirs = judged(text)
        expect(ours?.traceId).toBe(theirs?.traceId)
        expect(ours?.spanId).toBe(theirs?.spanId)
        expect((ours?.flags ?? 0) & TraceFlags.SAMPLED).toBe((theirs?.traceFlags ?? 0) & TraceFlags.SAMPLED)
      }),
      { numRuns: 2_000, seed: 1 },
    )
  })

  it('is written as OpenTelemetry reads it', () => {
    const written = traceParentOf({ traceId, spanId, flags: 3, state: null })
    expect(written).toBe(`00-${traceId}-${spanId}-03`)
    expect(judged(written)).toMatchObject({ traceId, spanId, isRemote: true })
  })
})

describe('a tracestate', () => {
  it.each([
    ['one member', 'rojo=00f067aa0ba902b7'],
    ['two members', 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE'],
    ['a tenant', '1a-2f@tenant=value with blanks'],
    ['32 members', Array.from({ length: 32 }, (_, index) => `k${index}=1`).join(',')],
  ])('is passed on as it came: %s', (_name, text) => {
    expect(parseTraceContext(good, text)?.state).toBe(text)
    expect(judged(good, text)?.traceState?.serialize()).toBe(text)
  })

  it('loses blanks and empty members', () => {
    expect(parseTraceContext(good, 'a=1 ,, b=2')?.state).toBe('a=1,b=2')
  })

  it.each([
    ['no member', ''],
    ['a member without a value', 'rojo'],
    ['a key in upper case', 'Rojo=1'],
    ['a value that is not ASCII', 'rojo=é'],
    ['33 members', Array.from({ length: 33 }, (_, index) => `k${index}=1`).join(',')],
    ['more than 512 characters', `a=${'x'.repeat(250)},b=${'x'.repeat(250)},c=${'x'.repeat(10)}`],
  ])('is left out: %s', (_name, text) => {
    expect(parseTraceContext(good, text)).toMatchObject({ traceId, state: null })
  })
})
