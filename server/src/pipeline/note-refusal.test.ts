import { describe, expect, it } from 'vitest'
import type { Refusal } from '#domain/ledger/refusal.ts'
import { type ErrorName, errorCatalogue } from '#errors/catalogue.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { makePrincipal } from '#test/identity/make-principal.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { KeyRefusal } from './key-refusal.ts'
import { createNoteRefusal } from './note-refusal.ts'

const principal = makePrincipal({
  keyId: 'key',
  walletId: 'wallet',
  userId: 'user',
  organizationId: 'organization',
  memberId: 'member',
  teamId: 'team',
})
const arrival = { ...testTicket().arrival, generationId: 'generation', body: { model: 'acme/large' } }
const errorNames = Object.keys(errorCatalogue) as ErrorName[]

function noted(...refused: Parameters<ReturnType<typeof createNoteRefusal>>): Refusal[] {
  const refusals: Refusal[] = []
  createNoteRefusal({ note: (refusal) => refusals.push(refusal) })(...refused)
  return refusals
}

describe('a refused request', () => {
  it.each(errorNames)('is recorded with %s if its key is known, and not otherwise', (errorName) => {
    const detail = { message: 'the words of the prompt', inside: 'more of them', boundBy: 'wallet' }
    const { status } = errorCatalogue[errorName]
    const expected = {
      id: 'generation',
      keyId: 'key',
      walletId: 'wallet',
      userId: 'user',
      organizationId: 'organization',
      memberId: 'member',
      teamId: 'team',
      endpoint: arrival.dialect.name,
      error: errorName,
      status,
      boundBy: 'wallet',
      model: 'acme/large',
    }
    expect(noted(arrival, principal, new GatewayError(errorName, detail))).toEqual([expected])
    expect(noted(arrival, null, new KeyRefusal(principal, errorName, detail))).toEqual([expected])
    expect(noted(arrival, null, new GatewayError(errorName, detail))).toEqual([])
  })

  it('is an internal error if nobody refused it, without the text of the fault', () => {
    expect(noted(arrival, principal, new TypeError('secret'))).toMatchObject([
      { error: 'internal', status: 500, boundBy: null },
    ])
  })

  it('has no model where the text is not shaped like one', () => {
    const strange = { ...arrival, body: { model: 'Write a poem about me' } }
    expect(noted(strange, principal, new GatewayError('invalidModelId', { message: 'no' }))[0]?.model).toBeNull()
  })

  it('is not recorded if the client disconnected first', () => {
    const connection = { ...arrival.connection, gone: true }
    expect(noted({ ...arrival, connection }, principal, new GatewayError('rateLimited', { message: '' }))).toEqual([])
  })

  it('shows its key to no log', () => {
    const refusal = new KeyRefusal(principal, 'unauthenticated', { message: 'no' })
    expect(JSON.stringify(refusal)).not.toContain('wallet')
    expect(Object.keys(refusal)).toEqual(Object.keys(new GatewayError('unauthenticated', { message: 'no' })))
  })
})
