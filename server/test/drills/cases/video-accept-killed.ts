import assert from 'node:assert/strict'
import type { Drill } from '../drill.ts'
import { readOutcomes, waitForEnds } from '../setup/videos/job-outcomes.ts'
import { judgeVideos, pollVideo } from '../setup/videos/judge-videos.ts'
import { newPrompt, orderVideo } from '../setup/videos/order-videos.ts'
import { startVideoScene, videoModels } from '../setup/videos/video-scene.ts'

export const videoAcceptKilled: Drill = {
  name: 'video-accept-killed',
  requires:
    'a gateway killed after it wrote a job down and before it said so: the video is made, charged and reported once',
  hasOwnWorkers: true,
  async start(world) {
    const scene = await startVideoScene(world)
    const { env } = scene
    const [worker, other, caller] = await Promise.all([
      world.startWorker({ env }),
      world.startGateway({ env }),
      world.createClient(),
    ])
    return async (random) => {
      const fatal = random.integer(1, 3)
      const gateway = await world.startGateway({ env: { ...env, WEIR_FAILPOINTS: `after-accept=exit@${fatal}` } })
      const before = (await readOutcomes(world.pool)).length
      const order = { gateway, key: caller.key, callbackUrl: scene.receiver.url }
      const answers = []
      for (let turn = 1; turn <= fatal; turn += 1) {
        answers.push(await orderVideo({ ...order, model: random.pick(videoModels), prompt: newPrompt() }))
      }
      await gateway.exited
      assert.equal(answers.at(-1), null, 'the fatal order was not answered')
      await waitForEnds(world.pool)
      const jobs = await readOutcomes(world.pool)
      for (const { id } of jobs) world.noteUnseen(id)
      assert.equal(jobs.length - before, fatal, 'every order was written down, the fatal one too')
      assert.ok(
        jobs.every(({ state }) => state === 'completed'),
        'each was made',
      )
      await judgeVideos(scene, jobs, ({ id }) => pollVideo(other.url, caller.key, id))
      assert.ok(worker.isAlive, 'the worker saw to it')
    }
  },
}
