import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Drill } from '../drill.ts'
import { readOutcomes, waitForEnds } from '../setup/videos/job-outcomes.ts'
import { judgeVideos, pollVideo } from '../setup/videos/judge-videos.ts'
import { newPrompt, orderVideo } from '../setup/videos/order-videos.ts'
import { startVideoScene, videoModels } from '../setup/videos/video-scene.ts'

const patienceMs = 60_000
const standstillMaxMs = 30_000

export const videoSubmitKilled: Drill = {
  name: 'video-submit-killed',
  requires:
    'a worker killed with an order on its way: a host that can be asked makes it once, another one is not asked again and nothing is charged',
  async start(world) {
    const scene = await startVideoScene(world)
    const { env } = scene
    await world.workers[0]?.kill()
    const [gateway, caller] = await Promise.all([world.startGateway({ env }), world.createCaller()])
    return async (random, point) => {
      // Workers of the first point claim for as long as they do in production.
      const claim: Record<string, string> = point === 1 ? {} : { WEIR_VIDEO_CLAIM_MS: '2000' }
      for (const model of videoModels) {
        const when = random.pick(['before-submit', 'after-submit'])
        const mortal = await world.startWorker({ env: { ...env, ...claim, WEIR_FAILPOINTS: `${when}=exit` } })
        const order = { gateway, key: caller.key, callbackUrl: scene.receiver.url, model }
        const ordersBefore = (await scene.hosts[model].orders()).length
        const ordered = await orderVideo({ ...order, prompt: newPrompt() })
        assert.ok(ordered !== null, 'the order was taken')
        await mortal.exited
        const diedAtMs = Date.now()
        const ordersTaken = (await scene.hosts[model].orders()).length - ordersBefore
        assert.equal(ordersTaken, when === 'after-submit' ? 1 : 0, 'the worker died where it was to die')
        const heir = await world.startWorker({ env: { ...env, ...claim } })
        await waitUntilMoved(world.pool, ordered.id)
        const waitedMs = Date.now() - diedAtMs
        process.stderr.write(`    ${model}, ${when}: another worker went on after ${waitedMs} ms\n`)
        assert.ok(waitedMs <= standstillMaxMs, `the job of a dead worker stood still for ${waitedMs} ms`)
        await waitForEnds(world.pool, patienceMs)
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

/** The dead worker left it in `submitting`. */
async function waitUntilMoved(pool: Pool, id: string): Promise<void> {
  for (const deadlineMs = Date.now() + patienceMs; Date.now() < deadlineMs; await wait(50)) {
    const { rows } = await pool.query<{ state: string }>('SELECT state FROM video_jobs WHERE id = $1', [id])
    if (rows[0]?.state !== 'submitting') return
  }
}
