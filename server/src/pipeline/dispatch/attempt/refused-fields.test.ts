import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import type { RefusedField } from '#providers/refused-field.ts'
import type { UpstreamRefusal } from '#providers/refusal.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { createRefusedFields } from './refused-fields.ts'

const plain = testTicket()
const [candidate = never()] = plain.plan.candidates
function never(): never {
  throw new Error('the test ticket has a candidate')
}
const ticketOf = (body: JsonObject) => ({ ...plain, arrival: { ...plain.arrival, body } })
const refusalOf = (refusedField: RefusedField | undefined): UpstreamRefusal => ({
  action: 'give-up',
  errorName: 'unknownUpstream4xx',
  message: 'no',
  inside: 'no',
  retryAfterMs: null,
  status: 400,
  refusedField,
})
const sent = '{"model":"m","reasoning_effort":"low","reasoning":{},"max_tokens":5,"seed":1}'
const request = { body: sent, ignored: ['logprobs'] }

function create(known: readonly string[] = []) {
  const suggested: string[] = []
  const fields = createRefusedFields({ refusedBy: () => known, suggest: (_candidate, field) => suggested.push(field) })
  return { fields, suggested }
}

function noteOne(own: JsonObject, field: RefusedField | undefined, body: string | undefined = sent) {
  const { fields, suggested } = create()
  const ticket = ticketOf(own)
  const noted = fields.note(ticket, candidate, { refusal: refusalOf(field), body })
  return { fields, ticket, suggested, noted }
}

describe('a field that an upstream refuses', () => {
  it('is left out of the same request, named, and suggested', () => {
    const { fields, ticket, suggested, noted } = noteOne({}, { name: 'reasoning_effort', source: 'member' })
    expect(noted).toBe('reasoning_effort')
    expect(suggested).toEqual(['reasoning_effort'])
    expect(fields.leaveOut(ticket, candidate, request)).toEqual({
      body: '{"model":"m","reasoning":{},"max_tokens":5,"seed":1}',
      ignored: ['logprobs', 'reasoning_effort'],
    })
  })

  it('C1: stays in every other request, and in this one at another upstream', () => {
    const { fields, ticket } = noteOne({}, { name: 'reasoning_effort', source: 'member' })
    expect(fields.leaveOut(ticketOf({}), candidate, request)).toBe(request)
    expect(fields.leaveOut(ticket, { ...candidate, upstreamModel: 'another' }, request)).toBe(request)
  })

  it('is given again where it is refused although it was left out, and suggested once', () => {
    const { fields, ticket, suggested } = noteOne({}, { name: 'reasoning_effort', source: 'member' })
    const refusal = refusalOf({ name: 'reasoning_effort', source: 'member' })
    expect(fields.note(ticket, candidate, { refusal, body: '{"model":"m"}' })).toBe('reasoning_effort')
    expect(suggested).toEqual(['reasoning_effort'])
  })

  it.each<[string, JsonObject, RefusedField | undefined, string | undefined]>([
    ['none is named', {}, undefined, sent],
    ['the client sent it', { reasoning_effort: 1 }, { name: 'reasoning_effort', source: 'member' }, sent],
    ['the request cannot do without it', {}, { name: 'max_tokens', source: 'member' }, sent],
    ['it may mean something', {}, { name: 'seed', source: 'member' }, sent],
    ['the gateway did not send it', {}, { name: 'thinking', source: 'member' }, sent],
    ['no text was sent', {}, { name: 'reasoning', source: 'member' }, undefined],
  ])('C1: is the affair of the client where %s', (_case, own, field, body) => {
    const { fields, ticket, suggested, noted } = noteOne(own, field, body ?? '')
    expect(noted).toBeUndefined()
    expect(suggested).toEqual([])
    expect(fields.leaveOut(ticket, candidate, request)).toBe(request)
  })

  // A field name found only in an error sentence is not suggested if the client's own request contains that name,
  // because the sentence may quote the request.
  it.each<[RefusedField['source'], JsonObject, boolean]>([
    ['member', { messages: [{ content: 'Hi' }] }, true],
    ['member', { messages: [{ content: "Unknown parameter: 'reasoning'" }] }, true],
    ['sentence', { messages: [{ content: 'Hi' }] }, true],
    ['sentence', { reasoning_effort: 'low' }, true],
    ['sentence', { messages: [{ content: "Unknown parameter: 'reasoning'" }] }, false],
    ['sentence', { metadata: { reasoning: 1 } }, false],
  ])('C1: named by a %s to the sender of %j is suggested: %s', (source, own, isSuggested) => {
    const { suggested, noted } = noteOne(own, { name: 'reasoning', source })
    expect(noted).toBe('reasoning')
    expect(suggested).toEqual(isSuggested ? ['reasoning'] : [])
  })

  it('is left out of every request once it is known, unless the client sent it', () => {
    const { fields } = create(['reasoning_effort', 'absent'])
    expect(fields.leaveOut(ticketOf({}), candidate, request).ignored).toEqual(['logprobs', 'reasoning_effort'])
    expect(fields.leaveOut(ticketOf({ reasoning_effort: 'low' }), candidate, request)).toBe(request)
    const form = { body: ['--form'], ignored: [] }
    expect(fields.leaveOut(ticketOf({}), candidate, form)).toBe(form)
  })
})
