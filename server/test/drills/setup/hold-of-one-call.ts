import assert from 'node:assert/strict'
import type { JsonObject } from '#lib/json.ts'
import { gatedStream } from './gated-stream.ts'
import type { World } from './world.ts'

/** The hold of such a streamed request, read while it is served. */
export async function holdOfOneCall(
  world: World,
  gateway: { url: string } | undefined,
  body: JsonObject,
): Promise<bigint> {
  assert.ok(gateway !== undefined, 'there is a gateway')
  const caller = await world.createClient()
  await world.simulator.play(gatedStream(1, 'measure'))
  const call = world.call(gateway, caller, body)
  await call.waitForChunks(1)
  const { rows } = await world.pool.query<{ amount_nano: string }>('SELECT amount_nano FROM holds')
  await world.simulator.release('measure')
  await call.ended
  assert.equal(rows.length, 1, 'one call holds')
  return BigInt(rows[0]?.amount_nano ?? '0')
}
