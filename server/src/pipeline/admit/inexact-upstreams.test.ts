import { expect, it } from 'vitest'
import { assert } from '#lib/assert.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { createInexactUpstreams } from './inexact-upstreams.ts'

const [candidate] = testTicket().plan.candidates
assert(candidate !== undefined, 'the ticket has a candidate')
const otherModel = { ...candidate, model: { ...candidate.model, id: 'acme/other' } }
const otherAccount = { ...candidate, account: { ...candidate.account, id: 'other' } }

it('remembers an account for a model, for a day', () => {
  let clockMs = 1_000
  const inexact = createInexactUpstreams(() => clockMs)
  expect(inexact.has(candidate)).toBe(false)
  inexact.note(candidate)
  expect([candidate, otherModel, otherAccount].map(inexact.has)).toEqual([true, false, false])
  clockMs += 86_399_999
  expect(inexact.has(candidate)).toBe(true)
  clockMs += 1
  expect(inexact.has(candidate)).toBe(false)
})
