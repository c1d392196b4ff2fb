import assert from 'node:assert/strict'
import type { TestClient } from '#test/setup/accounts.ts'
import type { Call } from './call.ts'
import { chatBody } from './chat-body.ts'
import type { Random } from './random.ts'
import type { ServerProcess } from './server-process.ts'
import type { World } from './world.ts'

const heldStreams = 4

/** Opens streams of `openai/gpt-4o-mini` that end when the upstream's gate is opened. */
export async function openHeldStreams(
  world: World,
  random: Random,
  { gateways, callers }: { gateways: readonly ServerProcess[]; callers: readonly TestClient[] },
): Promise<Call[]> {
  const body = chatBody({ stream: true, model: 'openai/gpt-4o-mini' })
  const calls = Array.from({ length: heldStreams }, () => world.call(random.pick(gateways), random.pick(callers), body))
  await Promise.all(calls.map((call) => call.waitForChunks(1)))
  return calls
}

/** Whatever happened to Postgres since, the streams end complete, with their cost. */
export async function proveStreamsEnd(running: readonly Call[]): Promise<void> {
  for (const call of running) {
    const seen = await call.ended
    assert.equal(seen.end, 'complete', `a running stream ends: ${seen.cause}`)
    assert.ok(seen.sawDone && seen.costNano !== null && seen.costNano > 0n, `and shows its cost: ${seen.text}`)
  }
}
