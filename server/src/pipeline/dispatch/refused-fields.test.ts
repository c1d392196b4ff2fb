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
const refusal = refusing("property 'reasoning_effort' is unsupported")
const body = '{"model":"m","reasoning_effort":"low","seed":1}'

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
    expect(fields.note(candidate, refusal, {})).toBe('reasoning_effort')
    expect(fields.leaveOut(candidate, body, {})).toBe('{"model":"m","seed":1}')
    expect(fields.leaveOut(other, body, {})).toBe(body)
    expect(fields.note(candidate, refusal, {})).toBe('reasoning_effort')
    expect(reports).toEqual(['reasoning_effort'])
    pass(3_600_000)
    expect(fields.leaveOut(candidate, body, {})).toBe(body)
    expect(fields.note(candidate, refusal, {})).toBe('reasoning_effort')
    expect(reports).toEqual(['reasoning_effort', 'reasoning_effort'])
  })

  it('is the affair of the client that sent it', () => {
    const { fields, reports } = create()
    expect(fields.note(candidate, refusal, { reasoning_effort: 'low' })).toBeUndefined()
    expect(reports).toEqual([])
    fields.note(candidate, refusal, {})
    expect(fields.leaveOut(candidate, body, { reasoning_effort: 'low' })).toBe(body)
  })

  it('must be named by the refusal', () => {
    const { fields } = create()
    expect(fields.note(candidate, refusing('The prompt is too long.'), {})).toBeUndefined()
  })
})
