import { describe, expect, it } from 'vitest'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { UpstreamRefusal } from '#providers/refusal.ts'
import { createRefusedFields } from './refused-fields.ts'

const [candidate = never()] = testTicket().plan.candidates
function never(): never {
  throw new Error('the test ticket has a candidate')
}
const other = { ...candidate, upstreamModel: 'another-model' }
const refusing = (inside: string): UpstreamRefusal => ({
  action: 'give-up',
  errorName: 'unknownUpstream4xx',
  message: inside,
  inside,
  retryAfterMs: null,
  status: 400,
})
const refusal = refusing("property 'stream_options' is unsupported")
const body = '{"model":"m","stream_options":{},"seed":1}'

function create() {
  let nowMs = 0
  const reports: string[] = []
  const fields = createRefusedFields(
    () => nowMs,
    (_candidate, field) => reports.push(field),
  )
  const pass = (ms: number): void => {
    nowMs += ms
  }
  return { fields, reports, pass }
}

describe('a field that an upstream refuses', () => {
  it('is left out of later requests for that model, for an hour', () => {
    const { fields, reports, pass } = create()
    expect(fields.leaveOut(candidate, body, {})).toBe(body)
    expect(fields.note(candidate, refusal, {})).toBe('new')
    expect(fields.leaveOut(candidate, body, {})).toBe('{"model":"m","seed":1}')
    expect(fields.leaveOut(other, body, {})).toBe(body)
    expect(fields.note(candidate, refusal, {})).toBe('known')
    expect(reports).toEqual(['stream_options'])
    pass(3_600_000)
    expect(fields.leaveOut(candidate, body, {})).toBe(body)
    expect(fields.note(candidate, refusal, {})).toBe('new')
  })

  it('is the affair of the client that sent it', () => {
    const { fields, reports } = create()
    expect(fields.note(candidate, refusal, { stream_options: {} })).toBe('of the client')
    expect(reports).toEqual([])
    fields.note(candidate, refusal, {})
    expect(fields.leaveOut(candidate, body, { stream_options: {} })).toBe(body)
  })

  it('must be named by the refusal', () => {
    const { fields } = create()
    expect(fields.note(candidate, refusing('The prompt is too long.'), {})).toBe('of the client')
  })
})
