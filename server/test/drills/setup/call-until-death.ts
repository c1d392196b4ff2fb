import assert from 'node:assert/strict'
import type { TestClient } from '#test/setup/accounts.ts'
import type { Transcript } from './call.ts'
import { chatBody } from './chat-body.ts'
import type { Random } from './random.ts'
import type { ServerProcess } from './server-process.ts'
import type { World } from './world.ts'

const callsMax = 50

/** Calls a gateway repeatedly until its failpoint kills it. */
export async function callUntilDeath(
  world: World,
  random: Random,
  options: { caller: TestClient; failpoint: string; env?: Record<string, string> },
): Promise<{ gateway: ServerProcess; last: Transcript; costs: readonly bigint[] }> {
  const gateway = await world.startGateway({ env: { ...options.env, WEIR_FAILPOINTS: options.failpoint } })
  const costs: bigint[] = []
  for (let count = 0; count < callsMax; count += 1) {
    const seen = await world.call(gateway, options.caller, chatBody({ stream: random.chance(0.5) })).ended
    if (seen.end !== 'complete') {
      await gateway.exited
      return { gateway, last: seen, costs }
    }
    assert.equal(seen.status, 200, `served until then: ${seen.text}`)
    if (seen.costNano !== null) costs.push(seen.costNano)
  }
  throw new Error(`the failpoint ${options.failpoint} was never reached`)
}
