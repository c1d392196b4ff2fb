import assert from 'node:assert/strict'
import type { Pool } from 'pg'
import type { Drill } from '../drill.ts'
import { until } from '../setup/until.ts'
import { readOutcomes, waitForEnds } from '../setup/videos/job-outcomes.ts'
import { judgeVideos, pollVideo } from '../setup/videos/judge-videos.ts'
import { newPrompt, orderVideo } from '../setup/videos/order-videos.ts'
import { startVideoScene, videoModels } from '../setup/videos/video-scene.ts'

const standstillMaxMs = 30_000

export const videoSubmitKilled: Drill = {
  name: 'video-submit-killed',
  requires:
    'a worker killed with an order on its way: a host that can be asked makes it once, another one is not asked again and nothing is charged',
  hasOwnWorkers: true,
  async start(world) {
    const scene = await startVideoScene(world)
    const { env } = scene
    const [gateway, caller] = await Promise.all([world.startGateway({ env }), world.createClient()])
    return async (random) => {
      for (const model of videoModels) {
        const when = random.pick(['before-submit', 'after-submit'])
        const mortal = await world.startWorker({ env: { ...env, WEIR_FAILPOINTS: `${when}=exit` } })
        const order = { gateway, key: caller.key, callbackUrl: scene.receiver.url, model }
        const ordersBefore = (await scene.hosts[model].orders()).length
        const ordered = await orderVideo({ ...order, prompt: newPrompt() })
        assert.ok(ordered !== null, 'the order was taken')
        await mortal.exited
        const ordersTaken = (await scene.hosts[model].orders()).length - ordersBefore
        assert.equal(ordersTaken, when === 'after-submit' ? 1 : 0, 'the worker died where it was to die')
        await passClaim(world.pool, ordered.id)
        const heir = await world.startWorker({ env })
        await waitUntilMoved(world.pool, ordered.id)
        await waitForEnds(world.pool)
        const jobs = await readOutcomes(world.pool)
        for (const { id } of jobs) world.noteUnseen(id)
        const job = jobs.find(({ id }) => id === ordered.id)
        assert.equal(job?.state, model === 'acme/findable' ? 'completed' : 'failed', `${model}, ${when}`)
        assert.equal(job?.lost, 1, 'the record shows that the submit was lost')
        const orders = (await scene.hosts[model].orders()).length - ordersBefore
        assert.equal(orders, model === 'acme/findable' ? 1 : ordersTaken, 'never ordered twice')
        await judgeVideos(scene, jobs, ({ id }) => pollVideo(gateway.url, caller.key, id))
        await heir.kill()
      }
    }
  },
}

/** Workers claim as in production. The test reads the claim's duration from the row and lets it expire immediately. */
async function passClaim(pool: Pool, id: string): Promise<void> {
  const { rows } = await pool.query<{ ahead_ms: number }>(
    `UPDATE video_jobs j SET due_at = clock_timestamp() FROM video_jobs old WHERE j.id = $1 AND old.id = j.id
      RETURNING extract(epoch FROM old.due_at - clock_timestamp())::float8 * 1000 AS ahead_ms`,
    [id],
  )
  const aheadMs = rows[0]?.ahead_ms
  assert.ok(
    aheadMs !== undefined && aheadMs <= standstillMaxMs,
    `the job of a dead worker stands still for ${aheadMs} ms`,
  )
}

/** The dead worker left the job in `submitting`. */
async function waitUntilMoved(pool: Pool, id: string): Promise<void> {
  await until(async () => {
    const { rows } = await pool.query<{ state: string }>('SELECT state FROM video_jobs WHERE id = $1', [id])
    return rows[0]?.state === 'submitting' ? 'no worker goes on with the job' : null
  })
}
