import { afterAll, beforeAll, expect, it } from 'vitest'
import { missing, type ResponseWorld, startResponseWorld } from './response-world.ts'

let world: ResponseWorld
beforeAll(async () => {
  world = await startResponseWorld({ WEIR_RESPONSES_RETENTION_MS: '0', WEIR_RESPONSES_STORE_BY_DEFAULT: 'true' })
})
afterAll(() => world.close())

it('[NEXT-161] without the setting, no response is stored, and none runs in the background', async () => {
  const caller = await world.createClient({ usd: '25' })
  const { status, json } = await world.respond(caller, { background: true })
  expect([status, json.status, json.background, json.store]).toEqual([200, 'completed', false, false])
  expect(await world.read(caller, String(json.id))).toMatchObject(missing)
  for (const field of [{ store: true }, { previous_response_id: json.id ?? null }]) {
    expect((await world.respond(caller, field)).error.code).toBe('invalid_prompt')
  }
})
