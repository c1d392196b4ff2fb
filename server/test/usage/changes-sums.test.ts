import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import { startUsageGateway, type UsageGateway } from './usage-gateway.ts'

let gateway: UsageGateway
beforeAll(async () => {
  gateway = await startUsageGateway()
})
afterAll(() => gateway.close())

const failure = 'upstream_failed' as const
const request = fc.record({
  day: fc.constantFrom('2026-03-01', '2026-03-03', '2026-03-04', '2026-03-06'),
  model: fc.integer({ min: 0, max: 13 }),
  key: fc.integer({ min: 0, max: 12 }),
  member: fc.integer({ min: 0, max: 11 }),
  nano: fc.integer({ min: 1, max: 999_999_999 }),
  savedNano: fc.constantFrom(0, 7, 1_001),
  prompt: fc.constantFrom(0, 10, 333),
  isFailed: fc.boolean(),
})

it('each list with its others, and the causes, add up to the change to the last digit', async () => {
  const { id: organizationId, walletId } = await gateway.createOrganization({ usd: '1000' })
  const { userId } = await gateway.addMember(organizationId, { role: 'org_admin' })
  const session = { cookie: await gateway.signIn(userId) }
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 20, maxLength: 60 }), async (requests) => {
      const app = newUuid(Date.now())
      const owners = Array.from({ length: 13 }, () => newUuid(Date.now()))
      for (const { day, model, key, member, nano, savedNano, prompt, isFailed } of requests) {
        const payer = { walletId, organizationId, userId: null, keyId: owners[key] ?? app }
        const owned = { ...payer, memberId: member === 0 ? null : (owners[member] ?? null) }
        const usd = isFailed ? '0' : `0.${String(nano).padStart(9, '0')}`
        const savedUsd = `0.${String(savedNano).padStart(9, '0')}`
        const refund = isFailed ? { refundReason: failure } : {}
        await gateway.spend(owned, [
          { at: `${day}T12:00:00Z`, usd, savedUsd, prompt, model: `acme/${model}`, appName: app, ...refund },
        ])
      }
      const query = `organization=${organizationId}&period=custom&from=2026-03-04&to=2026-03-06&app=${app}`
      const { status, body } = await gateway.read(`/v1/insights/changes?${query}`, session)
      expect(status).toBe(200)
      const costOf = (from: number) =>
        requests.reduce((sum, { day, nano, isFailed }) => {
          const isIn = from === 0 ? day < '2026-03-04' : day >= '2026-03-04'
          return isIn && !isFailed ? sum + BigInt(nano) : sum
        }, 0n)
      const change = costOf(1) - costOf(0)
      expect(nanoOf(body.change)).toBe(change)
      expect(sumOf(objectOf(body.causes))).toBe(change)
      const others = objectOf(body.others)
      for (const name of ['models', 'keys', 'members']) {
        const rest = objectOf(others[name])
        expect(
          listOf(body[name]).reduce((sum, one) => sum + nanoOf(one.change), nanoOf(rest.change)),
          name,
        ).toBe(change)
      }
      for (const one of listOf(body.models)) expect(sumOf(objectOf(one.causes))).toBe(nanoOf(one.change))
    }),
    { numRuns: 4, endOnFailure: true },
  )
})

function objectOf(value: JsonValue | undefined): JsonObject {
  if (!isJsonObject(value)) throw new Error('not an object')
  return value
}

function listOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** Amounts of a few dollars are exact to the nano-dollar in a double, once they are rounded to nine decimals. */
function nanoOf(value: JsonValue | undefined): bigint {
  if (typeof value !== 'number') throw new Error('not an amount')
  return BigInt(value.toFixed(9).replace('.', ''))
}

function sumOf(amounts: JsonObject): bigint {
  return Object.values(amounts).reduce((sum, amount) => sum + nanoOf(amount), 0n)
}
