import { afterAll, beforeAll, expect, it } from 'vitest'
import { startSecondGateway } from '#test/edge/second-gateway.ts'
import { callChat } from '#test/setup/call-chat.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { type InstitutionWorld, newEmail, startInstitutionWorld } from './institution-world.ts'

// The store's clock runs on its own, so both start at the same moment.
const clock = createTestClock(new Date().toISOString())
let world: InstitutionWorld
beforeAll(async () => {
  world = await startInstitutionWorld({}, clock)
})
afterAll(() => world.close())

const statusOf = async (token: string, url = world.url) =>
  (await callChat({ url, key: token }, { model: 'test/echo' })).status

it('[EDU-15] a session ends after the time that its key says, and a new verification gives a new one', async () => {
  const own = await world.createInstitution({ eduConfig: { sessionTtlSeconds: 3_600 } })
  const entry = { key: own.key, email: newEmail() }
  const { token, expiresAtMs } = await world.enter(entry)
  expect(await lifeOf(entry.email)).toEqual([{ ttl_s: 3_600, expires_at: new Date(expiresAtMs) }])
  clock.set(new Date(expiresAtMs - 1).toISOString())
  expect(await statusOf(token)).toBe(200)
  clock.forward(1)
  expect(await statusOf(token)).toBe(401)
  // Moves the stored times as well, as if that time had passed for the store.
  await world.pool.query(
    `UPDATE institution_sessions SET created_at = created_at - interval '1 hour', expires_at = now() WHERE email = $1`,
    [entry.email],
  )
  clock.set(new Date(expiresAtMs - 3_600_000).toISOString())
  const next = await world.enter(entry)
  expect(next.token).not.toBe(token)
  expect(await statusOf(next.token)).toBe(200)
})

it('[EDU-16] a session that was ended is refused within 15 seconds by an instance that never hears of it', async () => {
  // Nothing listens there, so no message can arrive.
  const second = await startSecondGateway(world, { WEIR_REDIS_URL: 'redis://127.0.0.1:1' }, clock)
  const own = await world.createInstitution()
  const { token } = await world.enter({ key: own.key, email: newEmail() })
  expect(await statusOf(token, second.url)).toBe(200)
  expect((await world.manage(own, 'DELETE', `/${own.keyId}/sessions?email=${await emailOf(own.keyId)}`)).json).toEqual({
    revoked: 1,
  })
  expect(await statusOf(token, second.url)).toBe(200)
  clock.forward(15_000)
  expect(await statusOf(token, second.url)).toBe(401)
  await second.close()
})

async function lifeOf(email: string): Promise<{ ttl_s: number; expires_at: Date }[]> {
  const { rows } = await world.pool.query<{ ttl_s: number; expires_at: Date }>(
    `SELECT extract(epoch FROM expires_at - created_at)::float8 AS ttl_s, expires_at
     FROM institution_sessions WHERE email = $1`,
    [email],
  )
  return rows
}

async function emailOf(keyId: string): Promise<string> {
  const { rows } = await world.pool.query<{ email: string }>(
    'SELECT email FROM institution_sessions WHERE key_id = $1',
    [keyId],
  )
  return rows[0]?.email ?? ''
}
