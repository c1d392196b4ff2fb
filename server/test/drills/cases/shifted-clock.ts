import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { chatBody } from '../setup/chat-body.ts'
import { gatedStream, streamPieces } from '../setup/gated-stream.ts'
import { until } from '../setup/until.ts'
import type { World } from '../setup/world.ts'

const hourMs = 3_600_000
const shiftModule = fileURLToPath(new URL('../setup/shift-clock.ts', import.meta.url))
// A lease is renewed after half of it at the latest. The other half is a margin for a busy machine.
const leaseMs = 8_000

export const shiftedClock: Drill = {
  name: 'shifted-clock',
  requires: 'a gateway whose clock is an hour off neither loses a hold while it lives nor keeps one when it dies',
  async start(world) {
    await addUpstream(world)
    const caller = await world.createClient()
    return async (random, point) => {
      const shiftMs = (point % 2 === 0 ? 1 : -1) * random.integer(leaseMs, hourMs)
      const env = { WEIR_TEST_CLOCK_SHIFT_MS: String(shiftMs), WEIR_MONEY_LEASE_MS: String(leaseMs) }
      const gateway = await world.startGateway({ env, nodeFlags: ['--import', shiftModule] })
      const gate = `clock-${point}`
      await world.simulator.play(gatedStream(random.integer(1, streamPieces.length), gate))
      const call = world.call(gateway, caller, chatBody({ stream: true }))
      await call.waitForChunks(1)
      await outliveLease(world, caller.walletId)
      assert.notEqual((await world.walletOf(caller.walletId)).held, '0', 'the hold of a live stream stays')
      await world.simulator.release(gate)
      const seen = await call.ended
      assert.ok(seen.costNano !== null && seen.costNano > 0n, `the stream ends and is charged: ${seen.text}`)

      await world.simulator.play(gatedStream(1, `${gate}-dead`))
      const doomed = world.call(gateway, caller, chatBody({ stream: true }))
      await doomed.waitForChunks(1)
      await gateway.kill()
      await doomed.ended
      await world.settleDown(leaseMs)
      const { rows } = await world.pool.query('SELECT id FROM lapsed_holds WHERE id = $1', [seen.generationId])
      assert.deepEqual(rows, [], 'the hold of the live stream never lapsed')
    }
  },
}

/**
 * Waits until the current lease of the wallet's hold has expired by the clock of Postgres; then only renewals keep the
 * hold.
 */
async function outliveLease({ pool }: World, walletId: string): Promise<void> {
  const { rows } = await pool.query<{ lease_until: Date }>('SELECT lease_until FROM holds WHERE wallet_id = $1', [
    walletId,
  ])
  assert.equal(rows.length, 1, 'the stream has a hold')
  await until(async () => {
    const later = await pool.query<{ is_over: boolean }>('SELECT clock_timestamp() > $1 AS is_over', [
      rows[0]?.lease_until,
    ])
    return later.rows[0]?.is_over === true ? null : 'the lease lasts longer than it was given'
  })
}
