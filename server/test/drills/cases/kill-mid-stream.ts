import assert from 'node:assert/strict'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { chatBody } from '../setup/chat-body.ts'
import { gatedStream, streamPieces } from '../setup/gated-stream.ts'

export const killMidStream: Drill = {
  name: 'kill-mid-stream',
  requires: 'a gateway killed at any chunk: the lease lapses and the caller has all the money back',
  async start(world) {
    await addUpstream(world)
    const caller = await world.createClient()
    return async (random, point) => {
      const gateway = await world.startGateway()
      const before = await world.walletOf(caller.walletId)
      const pieces = random.integer(1, streamPieces.length)
      await world.simulator.play(gatedStream(pieces, `kill-${point}`))
      const call = world.call(gateway, caller, chatBody({ stream: true }))
      await call.waitForChunks(pieces)
      assert.notEqual((await world.walletOf(caller.walletId)).held, '0', 'the running stream has a hold')
      await gateway.kill()
      const seen = await call.ended
      assert.deepEqual({ end: seen.end, cost: seen.costNano }, { end: 'broken', cost: null })
      await world.settleDown()
      assert.deepEqual(await world.walletOf(caller.walletId), before, 'the wallet is as it was')
    }
  },
}
