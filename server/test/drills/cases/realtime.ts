import assert from 'node:assert/strict'
import { objectAt } from '#lib/json.ts'
import { openRealtime, type RealtimeClient } from '#test/realtime/realtime-client.ts'
import { realtimeModel } from '#test/realtime/realtime-model.ts'
import { addModels } from '#test/setup/add-models.ts'
import { startRealtimeUpstream } from '#test/simulators/realtime/realtime-upstream.ts'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { readResources } from '../setup/process-resources.ts'
import { until } from '../setup/until.ts'

const [sessionsMax, sessionsOfShortRun] = [1_000, 300]
/** Two sockets, their buffers and the state of a session take about 60 KB. */
const sessionMaxKb = 150
/** A heap that has just grown for other reasons. */
const marginKb = 60_000
const opensAtOnce = 50
const costNano = 1_353_600n

export const realtime: Drill = {
  name: 'realtime',
  requires: 'a gateway killed with 1,000 open sessions: each response is charged at most once, and no hold stays',
  alone: true,
  async start(world) {
    const upstream = await startRealtimeUpstream()
    world.defer(upstream.close)
    await addUpstream(world, { url: upstream.url, pattern: 'openai/gpt-realtime' })
    await addModels({ pool: world.pool, gateway: { refresh: async () => {} } }, [realtimeModel('openai/gpt-realtime')])
    return async (random, _point, { isShort }) => {
      upstream.play({})
      const count = isShort ? sessionsOfShortRun : sessionsMax
      const caller = await world.createClient({ usd: '1000' })
      world.noteUnseen(caller.keyId)
      const gateway = await world.startGateway({ env: { WEIR_REALTIME_KEY_SESSIONS_MAX: '1000' } })
      const [first] = await openMany(gateway.url, caller.key, 1)
      await first?.close()
      const before = await readResources(gateway.pid)
      const sessions = await openMany(gateway.url, caller.key, count)
      await askAll(sessions, 0)
      const after = await readResources(gateway.pid)
      const grownKb = after.rssKb - before.rssKb
      world.tell(() => [`${count} sessions with a response each: memory grew by ${grownKb} KB`])
      assert.ok(grownKb < count * sessionMaxKb + marginKb, `memory grew by ${grownKb} KB`)
      assert.equal(await chargesOf(world, caller.walletId), costNano * BigInt(count), 'each response is charged')

      upstream.play({ hangs: true })
      for (const session of sessions) session.send({ type: 'response.create' })
      await Promise.all(sessions.map((session) => session.next('response.created', 1)))
      // The others are still running when the gateway is killed amid these settles.
      const cancelled = sessions.slice(0, random.integer(1, count - 1))
      for (const session of cancelled) session.send({ type: 'response.cancel' })
      const fatal = random.integer(1, cancelled.length)
      await until(async () => (doneCount(cancelled) >= fatal ? null : `${doneCount(cancelled)} of ${fatal} settled`))
      await gateway.kill()
      await Promise.all(sessions.map((session) => session.closed))
      await world.settleDown()

      const seen = sessions.reduce((sum, session) => sum + shownCosts(session), 0n)
      const charged = await chargesOf(world, caller.walletId)
      assert.ok(charged >= seen, `shown ${seen} and charged ${charged}`)
      assert.ok(charged <= costNano * BigInt(count + cancelled.length), 'no response is charged twice')
      assert.equal(charged % costNano, 0n, 'each response is charged as a whole')
      assert.equal((await world.walletOf(caller.walletId)).held, '0', 'no hold stays')
    }
  },
}

async function openMany(url: string, key: string, count: number): Promise<RealtimeClient[]> {
  const sessions: RealtimeClient[] = []
  while (sessions.length < count) {
    const some = Math.min(opensAtOnce, count - sessions.length)
    sessions.push(...(await Promise.all(Array.from({ length: some }, () => openRealtime(url, { key })))))
  }
  return sessions
}

async function askAll(sessions: readonly RealtimeClient[], position: number): Promise<void> {
  for (const session of sessions) session.send({ type: 'response.create' })
  await Promise.all(sessions.map((session) => session.next('response.done', position)))
}

function doneCount(sessions: readonly RealtimeClient[]): number {
  return sessions.filter(({ events }) => events.filter(({ type }) => type === 'response.done').length > 1).length
}

function shownCosts({ events }: RealtimeClient): bigint {
  const done = events.filter(({ type }) => type === 'response.done')
  const costs = done.map((event) => Number(objectAt(objectAt(event, 'response'), 'usage').cost))
  return costs.reduce((sum, usd) => sum + BigInt(Math.round(usd * 1e9)), 0n)
}

async function chargesOf({ pool }: Pick<Parameters<Drill['start']>[0], 'pool'>, walletId: string): Promise<bigint> {
  const { rows } = await pool.query<{ sum: string }>(
    'SELECT coalesce(sum(cost_nano), 0) AS sum FROM generations WHERE wallet_id = $1',
    [walletId],
  )
  return BigInt(rows[0]?.sum ?? 0)
}
