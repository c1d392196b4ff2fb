import { expect, it } from 'vitest'
import type { Principal } from '#domain/access/principal.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { exhaustion } from './exhaustion.ts'

const { principal } = testTicket()
const billed = (billing: string): Principal =>
  ({ ...principal, organization: { ...principal.organization, billing } }) as Principal

it('[HOLD-12] names the limit that was reached', () => {
  const error = exhaustion('key_month', principal)
  expect(error.row).toMatchObject({ status: 402, code: 'spend_limit_exceeded' })
  expect(error.message).toBe(
    "The key's monthly spend limit was reached mid-stream, so the response was cut off. You were not charged for it.",
  )
})

it.each([
  ['a person', principal],
  ['an organization that pays in advance', billed('prepaid')],
])('[HOLD-12] tells %s that the credits ran out', (_who, one) => {
  const error = exhaustion('wallet', one)
  expect(error.row).toMatchObject({ status: 402, code: 'insufficient_credits' })
  expect(error.message).toBe(
    'Your credit ran out mid-stream, so the response was cut off. Top up to get longer responses.',
  )
})

it('[HOLD-12] tells an organization with a monthly bill that its credit line ran out', () => {
  const error = exhaustion('wallet', billed('monthly'))
  expect(error.row).toMatchObject({ status: 402, code: 'credit_limit_exceeded' })
  expect(error.message).toBe(
    "The organization's credit line was used up mid-stream, so the response was cut off. Ask for a higher credit line to get longer responses.",
  )
})
