import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { chatBody } from '../setup/chat-body.ts'
import { gatedStream, streamPieces } from '../setup/gated-stream.ts'
import { leaseMs, sweepIntervalMs } from '../setup/server-environment.ts'

const hourMs = 3_600_000
const shiftModule = fileURLToPath(new URL('../setup/shift-clock.ts', import.meta.url))

export const shiftedClock: Drill = {
  name: 'shifted-clock',
  requires: 'a gateway whose clock is an hour off neither loses a hold while it lives nor keeps one when it dies',
  async start(world) {
    await addUpstream(world)
    const caller = await world.createCaller()
    return async (random, point) => {
      const shiftMs = (point % 2 === 0 ? 1 : -1) * random.integer(1, hourMs)
      const env = { WEIR_DRILL_CLOCK_SHIFT_MS: String(shiftMs) }
      const gateway = await world.startGateway({ env, nodeFlags: ['--import', shiftModule] })
      const gate = `clock-${point}`
      await world.simulator.play(gatedStream(random.integer(1, streamPieces.length), gate))
      const call = world.call(gateway, caller, chatBody({ stream: true }))
      await call.waitForChunks(1)
      // Longer than a lease and a sweep, so that only renewals keep the hold.
      await wait(leaseMs + 2 * sweepIntervalMs)
      assert.notEqual((await world.walletOf(caller.walletId)).held, '0', 'the hold of a live stream stays')
      await world.simulator.release(gate)
      const seen = await call.ended
      assert.ok(seen.costNano !== null && seen.costNano > 0n, `the stream ends and is charged: ${seen.text}`)

      await world.simulator.play(gatedStream(1, `${gate}-dead`))
      const doomed = world.call(gateway, caller, chatBody({ stream: true }))
      await doomed.waitForChunks(1)
      await gateway.kill()
      await doomed.ended
      await world.settleDown()
      const { rows } = await world.pool.query('SELECT id FROM lapsed_holds WHERE id = $1', [seen.generationId])
      assert.deepEqual(rows, [], 'the hold of the live stream never lapsed')
    }
  },
}
