import { expect, it } from 'vitest'
import { walletKey } from '#domain/access/wallet-key.ts'
import type { EndCustomerTerms } from '#domain/end-customers/end-customer.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { createEndCustomerCache } from './end-customer-cache.ts'

const walletId = '01900000-0000-7000-8000-000000000001'
const otherId = '01900000-0000-7000-8000-000000000002'

/** A cache over a store in which each load gets the next id. */
function openCache() {
  const loads: string[] = []
  let nowMs = 0
  let isAway = false
  const cache = createEndCustomerCache({
    endCustomers: {
      findOrCreate: async (wallet, externalId): Promise<EndCustomerTerms> => {
        if (isAway) throw new Error('Postgres is away')
        const id = String(loads.push(`${wallet.slice(-1)} ${externalId}`))
        return { id, suspended: false, isPrepaid: false, limits: { day: null, month: null, total: null } }
      },
    },
    clock: () => nowMs,
  })
  const idOf = async (wallet: string, externalId: string) => (await cache.find(wallet, externalId)).id
  return {
    cache,
    loads,
    idOf,
    pass: (ms: number) => {
      nowMs += ms
    },
    lose: () => {
      isAway = true
    },
  }
}

it('keeps the same id of two wallets apart, and loads each once', async () => {
  const { idOf, loads } = openCache()
  const ids = [
    await idOf(walletId, 'a'),
    await idOf(otherId, 'a'),
    await idOf(walletId, 'b'),
    await idOf(walletId, 'a'),
  ]
  expect(ids).toEqual(['1', '2', '3', '1'])
  expect(loads).toEqual(['1 a', '2 a', '1 b'])
})

it('forgets a changed customer, and all of them when a message may be lost', async () => {
  const { cache, idOf } = openCache()
  await idOf(walletId, 'a')
  await idOf(walletId, 'b')
  cache.invalidate({ endCustomer: walletKey(walletId, 'a') })
  cache.invalidate({ walletId })
  expect([await idOf(walletId, 'a'), await idOf(walletId, 'b')]).toEqual(['3', '2'])
  cache.invalidate({ all: true })
  expect(await idOf(walletId, 'b')).toBe('4')
})

it('answers with 503 rather than with terms older than 15 s', async () => {
  const { idOf, lose, pass } = openCache()
  await idOf(walletId, 'a')
  lose()
  pass(14_999)
  expect(await idOf(walletId, 'a')).toBe('1')
  pass(1)
  await expect(idOf(walletId, 'a')).rejects.toMatchObject({ row: { status: 503 } })
})

it('passes on why a customer is not created, and asks again for the next request', async () => {
  const refusal = new GatewayError('tooManyCustomers', { message: 'no' })
  let loads = 0
  const findOrCreate = async (): Promise<never> => {
    loads += 1
    throw refusal
  }
  const cache = createEndCustomerCache({ endCustomers: { findOrCreate }, clock: () => 0 })
  await expect(cache.find(walletId, 'a')).rejects.toBe(refusal)
  await expect(cache.find(walletId, 'a')).rejects.toBe(refusal)
  expect(loads).toBe(2)
})
