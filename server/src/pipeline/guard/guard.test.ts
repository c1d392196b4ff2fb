import { expect, it } from 'vitest'
import type { AccessAction } from '#domain/access/access-table.ts'
import type { Principal } from '#domain/access/principal.ts'
import { makePrincipal } from '#test/identity/make-principal.ts'
import { testTicket, wantedModel } from '#test/streams/test-ticket.ts'
import { createGuard } from './guard.ts'

const guard = createGuard({
  sessionQuotas: { takeRequest: async () => ({ allowed: true }) },
  filterContent: async ({ call }) => call,
  moderateContent: () => undefined,
})

function ask(access: AccessAction, special: Partial<Principal>) {
  const { arrival, plan } = testTicket()
  const { call } = plan
  return guard({ arrival: { ...arrival, access }, principal: makePrincipal(special), call, wanted: wantedModel })
}

it('lets standard keys call models, and management keys never', async () => {
  await expect(ask('models.call', {})).resolves.toBeDefined()
  await expect(ask('models.call', { keyType: 'management' })).rejects.toMatchObject({ errorName: 'forbidden' })
})

it('lets sessions of institutions no further than the endpoints that are for them', async () => {
  await expect(ask('models.chat', { keyType: 'institution' })).resolves.toBeDefined()
  await expect(ask('models.call', { keyType: 'institution' })).rejects.toMatchObject({ errorName: 'forbidden' })
})
