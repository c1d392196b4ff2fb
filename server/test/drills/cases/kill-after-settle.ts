import assert from 'node:assert/strict'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { createClient } from '#test/setup/client.ts'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { balanceAfter } from '../setup/balance-after.ts'
import { callUntilDeath } from '../setup/call-until-death.ts'

export const killAfterSettle: Drill = {
  name: 'kill-after-settle',
  requires: 'killed after the settle and before the last write: charged once, and visible through another gateway',
  async start(world) {
    await addUpstream(world)
    const caller = await world.createClient()
    const other = await world.startGateway()
    return async (random) => {
      const before = await world.walletOf(caller.walletId)
      const fatal = random.integer(1, 4)
      const { last, costs } = await callUntilDeath(world, random, { caller, failpoint: `after-settle=exit@${fatal}` })
      assert.equal(costs.length, fatal - 1, 'the calls before the fatal one were served')
      assert.equal(last.costNano, null, 'the cost was not shown')
      await world.settleDown()
      const { rows } = await world.pool.query<{ id: string; cost_nano: string }>(
        'SELECT id, cost_nano FROM generations WHERE key_id = $1 ORDER BY settled_at DESC LIMIT 1',
        [caller.keyId],
      )
      const [newest] = rows
      assert.ok(newest !== undefined && BigInt(newest.cost_nano) > 0n, 'the fatal call was charged')
      if (last.generationId !== null) assert.equal(newest.id, last.generationId)
      assert.equal(await shownCost(other.url, caller.key, publicGenerationId(newest.id)), BigInt(newest.cost_nano))
      const { balance, held } = await world.walletOf(caller.walletId)
      const expected = balanceAfter(before.balance, [...costs, BigInt(newest.cost_nano)])
      assert.deepEqual({ balance, held }, { balance: expected, held: '0' })
    }
  },
}

async function shownCost(url: string, key: string, id: string): Promise<bigint> {
  const { status, text } = await createClient(url, key).get(`/v1/generation?id=${id}`)
  assert.equal(status, 200, text)
  return parseUsd(/"total_cost":([\d.]+)/.exec(text)?.[1] ?? '0')
}
