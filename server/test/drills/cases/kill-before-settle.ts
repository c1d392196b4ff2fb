import assert from 'node:assert/strict'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { balanceAfter } from '../setup/balance-after.ts'
import { callUntilDeath } from '../setup/call-until-death.ts'

export const killBeforeSettle: Drill = {
  name: 'kill-before-settle',
  requires: 'killed after the upstream has ended and before the settle: no cost is shown, and nothing is charged',
  async start(world) {
    await addUpstream(world)
    const caller = await world.createClient()
    return async (random) => {
      const before = await world.walletOf(caller.walletId)
      const fatal = random.integer(1, 4)
      const { last, costs } = await callUntilDeath(world, random, { caller, failpoint: `before-settle=exit@${fatal}` })
      assert.equal(costs.length, fatal - 1, 'the calls before the fatal one were served')
      assert.equal(last.costNano, null, 'no cost was shown')
      assert.equal(last.sawDone, false, 'the stream did not end as if it were complete')
      await world.settleDown()
      const { balance, held } = await world.walletOf(caller.walletId)
      assert.deepEqual({ balance, held }, { balance: balanceAfter(before.balance, costs), held: '0' })
    }
  },
}
