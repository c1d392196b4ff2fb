import { expect, it } from 'vitest'
import type { Principal } from '#domain/access/principal.ts'
import { makePrincipal } from '#test/identity/make-principal.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { type AuthenticateRequest, createAuthenticateArrival } from './authenticate.ts'

const arrival = {
  ...testTicket().arrival,
  authorization: 'Bearer one',
  apiKey: 'two',
  clientIp: '192.0.2.1',
  receivedAtMs: 1_800_000_000_000,
}

function authenticating(principal: Principal, asked: AuthenticateRequest[] = []) {
  return createAuthenticateArrival(async (request) => {
    asked.push(request)
    return principal
  })
}

it('asks with the headers, the address and the time of the arrival', async () => {
  const principal = makePrincipal()
  const asked: AuthenticateRequest[] = []
  expect(await authenticating(principal, asked)(arrival)).toBe(principal)
  expect(asked).toEqual([
    { authorization: 'Bearer one', apiKey: 'two', clientIp: '192.0.2.1', nowMs: 1_800_000_000_000 },
  ])
})

it('refuses a kind of key that the endpoint is not for', async () => {
  const management = makePrincipal({ keyType: 'management' })
  await expect(authenticating(management)(arrival)).rejects.toMatchObject({ errorName: 'forbidden' })
})
