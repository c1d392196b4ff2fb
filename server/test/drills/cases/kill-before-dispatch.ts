import assert from 'node:assert/strict'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { balanceAfter } from '../setup/balance-after.ts'
import { callUntilDeath } from '../setup/call-until-death.ts'

/** P3. */
export const killBeforeDispatch: Drill = {
  name: 'kill-before-dispatch',
  requires: 'killed between hold and dispatch: the sweeper gives the money back, and no upstream was called',
  async start(world) {
    await addUpstream(world)
    const caller = await world.createClient()
    return async (random) => {
      await world.simulator.forget()
      const before = await world.walletOf(caller.walletId)
      const fatal = random.integer(1, 4)
      const { costs } = await callUntilDeath(world, random, { caller, failpoint: `before-dispatch=exit@${fatal}` })
      assert.equal((await world.simulator.requests()).length, fatal - 1, 'the fatal call was not dispatched')
      assert.notEqual((await world.walletOf(caller.walletId)).held, '0', 'the dead gateway left a hold')
      await world.settleDown()
      const { balance, held } = await world.walletOf(caller.walletId)
      assert.deepEqual({ balance, held }, { balance: balanceAfter(before.balance, costs), held: '0' })
    }
  },
}
