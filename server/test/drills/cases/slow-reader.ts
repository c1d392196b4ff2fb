import assert from 'node:assert/strict'
import { insertAfterWrites } from '#test/simulators/scenarios/change-steps.ts'
import { goodStream } from '#test/simulators/scenarios/good-stream.ts'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { chatBody } from '../setup/chat-body.ts'
import { expectResourcesBack, readResources } from '../setup/process-resources.ts'

const pieceBytes = 65_536
const pieceCount = 1_280
// In this time a gateway without back-pressure would have read the whole stream many times.
const othersServed = 60
// The stream is 84 MB; uncollected garbage while 64 KB frames pass is at most half of that.
const growthMaxKb = 45_000

export const slowReader: Drill = {
  name: 'slow-reader',
  requires: 'a client that does not read: the upstream is held back, memory stays flat, and the rest arrives whole',
  alone: true,
  async start(world) {
    await addUpstream(world)
    const gateway = await world.startGateway()
    const [caller, other] = [await world.createClient(), await world.createClient()]
    const serveOthers = async (): Promise<void> => {
      for (let turn = 0; turn < othersServed; turn += 1) {
        const { status, text } = await world.call(gateway, other, chatBody({ stream: true })).ended
        assert.equal(status, 200, text)
      }
    }
    await serveOthers()
    // The first large stream sets the size of the heap; it must not grow further.
    await world.simulator.playNext(
      goodStream({ pieces: Array.from({ length: pieceCount }, () => 'x'.repeat(pieceBytes)) }),
    )
    await world.call(gateway, caller, chatBody({ stream: true })).ended
    const before = await readResources(gateway.pid)
    return async (random, point) => {
      const pieces = Array.from({ length: pieceCount }, () => random.pick(['x', 'y']).repeat(pieceBytes))
      const gate = `sent-${point}`
      await world.simulator.playNext(insertAfterWrites(goodStream({ pieces }), pieceCount, { do: 'gate', name: gate }))
      const call = world.call(gateway, caller, chatBody({ stream: true }))
      await call.waitForChunks(random.integer(1, 20))
      const start = await readResources(gateway.pid)
      call.pauseReading()
      let isSent = false
      const sentAll = world.simulator.waitForGate(gate).then(() => {
        isSent = true
      })
      await serveOthers()
      assert.equal(isSent, false, 'the upstream is held back')
      const { rssKb } = await readResources(gateway.pid)
      process.stderr.write(`  slow-reader: memory went from ${start.rssKb} to ${rssKb} KB\n`)
      assert.ok(rssKb < start.rssKb + growthMaxKb, `memory went from ${start.rssKb} to ${rssKb} KB`)
      call.resumeReading()
      await sentAll
      await world.simulator.release(gate)
      const seen = await call.ended
      assert.equal(seen.end, 'complete', String(seen.cause))
      assert.deepEqual([seen.chunks, seen.sawDone], [pieceCount, true], 'the whole answer arrived')
      await expectResourcesBack(gateway.pid, before)
    }
  },
}
