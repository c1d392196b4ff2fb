import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import type { Call } from '../setup/call.ts'
import { chatBody } from '../setup/chat-body.ts'
import { gatedStream, streamPieces } from '../setup/gated-stream.ts'
import { holdOfOneCall } from '../setup/hold-of-one-call.ts'
import type { Random } from '../setup/random.ts'
import type { ServerProcess } from '../setup/server-process.ts'
import { until } from '../setup/until.ts'
import type { World } from '../setup/world.ts'

const clockModule = fileURLToPath(new URL('../setup/jump-clock.ts', import.meta.url))
const body = chatBody({ stream: true })

export const monthEdge: Drill = {
  name: 'month-edge',
  requires:
    'a month ends while streams run: they count in the month they began in, the new month has its whole limit, and no hold is released early',
  async start(world) {
    await addUpstream(world)
    const now = new Date()
    const edgeMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
    const env = { WEIR_TEST_CLOCK_START_MS: String(edgeMs - 1_000) }
    const nodeFlags = ['--import', clockModule]
    const gateways = await Promise.all([1, 2].map(() => world.startGateway({ env, nodeFlags })))
    const unit = await holdOfOneCall(world, gateways[0], body)
    return async (random, point) => {
      const fitting = random.integer(2, 4)
      const limit = nanoUsd(unit * BigInt(fitting))
      const caller = await world.createClient({ terms: { limit, period: 'month' } })
      const gate = `month-${point}`
      await world.simulator.play(gatedStream(random.integer(1, streamPieces.length), gate))
      const scene = { world, gateways, caller, random }
      const before = await fillMonth(scene, fitting)
      await passEdge(gateways)
      const after = await fillMonth(scene, fitting)
      assert.deepEqual(await readWindows(scene, 'held_nano'), [limit, limit], 'what runs is held in its own month')
      await world.simulator.release(gate)
      const costs = [await sumOf(before), await sumOf(after)]
      await world.settleDown()
      assert.deepEqual(await readWindows(scene, 'spent_nano'), costs, 'what ran is spent in the month it began in')
      await passEdge(gateways)
    }
  },
}

interface Scene {
  readonly world: World
  readonly gateways: readonly ServerProcess[]
  readonly caller: TestClient
  readonly random: Random
}

/** Opens as many streams as the monthly limit admits; one more is rejected. */
async function fillMonth({ world, gateways, caller, random }: Scene, fitting: number): Promise<Call[]> {
  const calls = Array.from({ length: fitting }, () => world.call(random.pick(gateways), caller, body))
  await Promise.all(calls.map((call) => call.waitForChunks(1)))
  const tooMany = await world.call(random.pick(gateways), caller, body).ended
  assert.equal(tooMany.status, 402, `the month's limit is used up: ${tooMany.text}`)
  return calls
}

/** Signals every gateway and waits for its confirmation. */
async function passEdge(gateways: readonly ServerProcess[]): Promise<void> {
  for (const gateway of gateways) {
    const before = jumpsOf(gateway)
    process.kill(gateway.pid, 'SIGUSR2')
    await until(async () => (jumpsOf(gateway) > before ? null : 'the clock of a gateway has not jumped'))
  }
}

function jumpsOf({ logLines }: ServerProcess): number {
  return logLines.filter((line) => line.startsWith('the clock jumped')).length
}

async function sumOf(calls: readonly Call[]): Promise<bigint> {
  const seen = await Promise.all(calls.map(({ ended }) => ended))
  for (const { costNano, text } of seen) assert.ok(costNano !== null && costNano > 0n, `a stream is charged: ${text}`)
  return seen.reduce((sum, { costNano }) => sum + (costNano ?? 0n), 0n)
}

async function readWindows({ world, caller }: Scene, column: 'held_nano' | 'spent_nano'): Promise<bigint[]> {
  const { rows } = await world.pool.query<{ amount: string }>(
    `SELECT ${column} AS amount FROM spend_windows WHERE kind = 'key_month' AND owner_id = $1 ORDER BY starts_at`,
    [caller.keyId],
  )
  return rows.map(({ amount }) => BigInt(amount))
}
