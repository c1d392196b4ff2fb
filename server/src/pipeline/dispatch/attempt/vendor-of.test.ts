import { expect, it } from 'vitest'
import type { Candidate } from '#domain/routing/candidates.ts'
import { assert } from '#lib/assert.ts'
import { vendors } from '#providers/registry.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { isPlayed, vendorOf } from './vendor-of.ts'

function candidateOf(vendor: string): Candidate {
  const [candidate] = testTicket().plan.candidates
  assert(candidate !== undefined, 'the ticket has a candidate')
  return { ...candidate, account: { ...candidate.account, vendor } }
}

it('finds the vendor of an account in the registry', () => {
  expect(vendorOf(candidateOf('anthropic'))).toBe(vendors.anthropic)
  expect(isPlayed(candidateOf('anthropic'))).toBe(false)
})

it('has the process itself play test models, in chat completions that report their usage', () => {
  const vendor = vendorOf(candidateOf('test'))
  expect(vendor).toMatchObject({ slug: 'test', protocol: 'openai', openai: { streamUsage: 'always' } })
  expect(isPlayed(candidateOf('test'))).toBe(true)
})

it('takes an account of an unknown vendor for our own mistake', () => {
  expect(() => vendorOf(candidateOf('nobody'))).toThrow('the vendor nobody of a provider account is registered')
})

it('speaks to a vendor through the interface that the candidate names', () => {
  expect(vendorOf({ ...candidateOf('openai'), api: 'responses' })).toBe(vendors.openai.onResponses)
  expect(vendorOf(candidateOf('openai'))).toBe(vendors.openai)
  expect(vendorOf({ ...candidateOf('anthropic'), api: 'responses' })).toBe(vendors.anthropic)
})
