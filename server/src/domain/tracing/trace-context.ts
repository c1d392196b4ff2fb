/** A position in a trace, from the W3C Trace Context headers `traceparent` and `tracestate`. */
export interface TraceContext {
  /** 32 hexadecimal digits in lower case, not all zero. */
  readonly traceId: string
  /** 16 hexadecimal digits in lower case, not all zero. */
  readonly spanId: string
  readonly flags: number
  /** Data of other tracing systems, passed on unchanged. */
  readonly state: string | null
}

export const sampledFlag = 0x01
/** The last 56 bits of the trace id are random, so every system can sample by them. */
export const randomFlag = 0x02

const parentForm = /^(?!ff)([0-9a-f]{2})-((?!0{32})[0-9a-f]{32})-((?!0{16})[0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/
const parentLength = 55

/** Returns null for a malformed header: the trace then begins here, as the specification requires. */
export function parseTraceContext(parent: unknown, state: unknown): TraceContext | null {
  if (typeof parent !== 'string') return null
  const [, version, traceId, spanId, flags] = parentForm.exec(parent) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return null
  // Later versions may have more parts; version 00 has none.
  if (version === '00' && parent.length !== parentLength) return null
  return { traceId, spanId, flags: Number.parseInt(flags, 16) & (sampledFlag | randomFlag), state: parseState(state) }
}

export function traceParentOf({ traceId, spanId, flags }: TraceContext): string {
  return `00-${traceId}-${spanId}-0${flags}`
}

const stateLengthMax = 512
const stateMembersMax = 32
const memberForm =
  /^(?:[a-z][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{1,256}$/

/** Returns null if any part is malformed, because a partial list would mean something else. */
function parseState(state: unknown): string | null {
  if (typeof state !== 'string' || state.length > stateLengthMax) return null
  const members = state
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '')
  const isWhole =
    members.length > 0 && members.length <= stateMembersMax && members.every((one) => memberForm.test(one))
  return isWhole ? members.join(',') : null
}
