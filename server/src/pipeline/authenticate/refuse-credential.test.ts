import { expect, it } from 'vitest'
import { GatewayError } from '#errors/gateway-error.ts'
import { makePrincipal } from '#test/identity/make-principal.ts'
import { refuseCredential } from './authenticate.ts'

it('lets standard keys call models, and management keys never', () => {
  expect(() => refuseCredential('models.call', makePrincipal())).not.toThrow()
  expect(() => refuseCredential('models.call', makePrincipal({ keyType: 'management' }))).toThrow(GatewayError)
})

it('says forbidden, and why', () => {
  const management = makePrincipal({ keyType: 'management' })
  expect(() => refuseCredential('models.call', management)).toThrow(
    expect.objectContaining({ errorName: 'forbidden', message: expect.stringMatching(/key/i) }),
  )
})

it('lets sessions of institutions no further than the endpoints that are for them', () => {
  expect(() => refuseCredential('models.chat', makePrincipal({ keyType: 'institution' }))).not.toThrow()
  expect(() => refuseCredential('models.call', makePrincipal({ keyType: 'institution' }))).toThrow(GatewayError)
})
