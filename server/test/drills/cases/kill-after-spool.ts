import assert from 'node:assert/strict'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { chatBody } from '../setup/chat-body.ts'
import { gatedStream, streamPieces } from '../setup/gated-stream.ts'

export const killAfterSpool: Drill = {
  name: 'kill-after-spool',
  requires: 'Postgres away and the gateway killed once its settle is spooled: the next process charges it, once',
  async start(world) {
    await addUpstream(world)
    const caller = await world.createClient()
    return async (random, point) => {
      const gate = `spool-${point}`
      const place = `spool-${point}`
      const env = { WEIR_MONEY_SETTLE_DEADLINE_MS: '500', WEIR_FAILPOINTS: 'after-spool=exit' }
      const gateway = await world.startGateway({ place, env })
      await world.simulator.play(gatedStream(random.integer(1, streamPieces.length), gate))
      const call = world.call(gateway, caller, chatBody({ stream: true }))
      await call.waitForChunks(1)
      await world.postgres.crash()
      try {
        await world.simulator.release(gate)
        await gateway.exited
      } finally {
        await world.postgres.start()
      }
      const seen = await call.ended
      assert.equal(seen.costNano, null, 'the cost was not shown')
      await world.startGateway({ place })
      await world.settleDown()
      const { rows } = await world.pool.query<{ charges: string }>(
        "SELECT count(*) AS charges FROM ledger_transfers WHERE kind = 'charge' AND id = $1",
        [seen.generationId],
      )
      assert.equal(rows[0]?.charges, '1', 'the spooled settle was charged once')
    }
  },
}
