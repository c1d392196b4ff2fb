import assert from 'node:assert/strict'
import type { Drill } from '../drill.ts'
import { watchClosings } from '../setup/closings.ts'
import { expectNoUploads } from '../setup/expect-no-uploads.ts'
import { gatedAnswer } from '../setup/media-answers.ts'
import { addMediaUpstream, mediaCalls } from '../setup/media-calls.ts'
import { expectResourcesBack, readResources } from '../setup/process-resources.ts'
import { sendHalf } from '../setup/send-half.ts'

export const mediaGone: Drill = {
  name: 'media-gone',
  requires:
    'a client of embeddings, images or audio that leaves while it sends or waits: the upstream is closed within a second, and all is refunded',
  async start(world) {
    await addMediaUpstream(world)
    const gateway = await world.startGateway()
    return async (random, point) => {
      const before = await readResources(gateway.pid)
      const closings = watchClosings(world)
      for (const call of random.shuffle(mediaCalls)) {
        for (const how of random.shuffle(['fin', 'rst'] as const)) {
          // An account that disconnects often is blocked for a while, so each disconnects once.
          const caller = await world.createClient()
          await world.simulator.forget()
          await world.simulator.play(gatedAnswer(`never-${point}`, call.answer.text, call.answer.type))
          const socket = await sendHalf(gateway.url, caller.key, call)
          if (how === 'rst') socket.resetAndDestroy()
          else socket.end()
          const waiting = world.call(gateway, caller, call.body, call.path)
          await world.simulator.waitForRequests(1)
          assert.notEqual((await world.walletOf(caller.walletId)).held, '0', `${call.what} has a hold`)
          await closings.leave(waiting, how, call.what)
          assert.equal((await world.simulator.requests()).length, 1, 'half a call is not dispatched')
          await world.settleDown()
          const { charged, held } = await world.walletOf(caller.walletId)
          assert.deepEqual({ charged, held }, { charged: '0', held: '0' }, `${call.what}, ${how}: refunded`)
          socket.destroy()
        }
      }
      closings.judge()
      await expectNoUploads(gateway.dataFolder)
      await expectResourcesBack(gateway.pid, before)
    }
  },
}
