import assert from 'node:assert/strict'
import type { Drill } from '../drill.ts'
import { readOutcomes, waitForEnds } from '../setup/videos/job-outcomes.ts'
import { judgeVideos, pollVideo } from '../setup/videos/judge-videos.ts'
import { newPrompt, orderVideo } from '../setup/videos/order-videos.ts'
import { startVideoScene, videoModels } from '../setup/videos/video-scene.ts'

const patienceMs = 45_000

export const videoSubmitKilled: Drill = {
  name: 'video-submit-killed',
  requires:
    'a worker killed with an order on its way: a host that can be asked makes it once, another one is not asked again and nothing is charged',
  async start(world) {
    const scene = await startVideoScene(world)
    const env = { ...scene.env, WEIR_VIDEO_CLAIM_MS: '2000' }
    await world.workers[0]?.kill()
    const [gateway, caller] = await Promise.all([world.startGateway({ env }), world.createCaller()])
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
        const heir = await world.startWorker({ env })
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
