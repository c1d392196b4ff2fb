import assert from 'node:assert/strict'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { editForm } from '../setup/edit-form.ts'
import { expectNoUploads } from '../setup/expect-no-uploads.ts'
import { imageJson, wholeAnswer } from '../setup/media-answers.ts'
import { expectResourcesBack, type Resources, readResources } from '../setup/process-resources.ts'
import { watchMemory } from '../setup/watch-memory.ts'

// Above the gateway's idle memory, which is the size of its code. The uploads of one point have one to five gigabytes.
const growthMaxKb = 200_000
const imageBytes = 9_000_000
const editsMax = 64
const files = 8
// Used buffers wait in the young generation; docs/operating.md says when to start gateways like this.
const smallYoungGeneration = ['--max-semi-space-size=4']

export const manyEdits: Drill = {
  name: 'many-edits',
  requires:
    '64 edits of 8 images of 9 MB at once: all are answered with less than 200 MB beside what the gateway has at rest, and no file stays',
  alone: true,
  async start(world) {
    const upstream = await world.startSimulator({ record: false, scenario: wholeAnswer(imageJson) })
    await addUpstream(world, { url: upstream.url, name: 'images', pattern: 'openai/gpt-image-1.5' })
    const gateway = await world.startGateway({ nodeFlags: smallYoungGeneration })
    const caller = await world.createClient({ usd: '1000' })
    const edit = (bytesEach: number) =>
      world.call(gateway, caller, editForm({ model: 'openai/gpt-image-1.5', files, bytesEach }), '/v1/images/edits')
        .ended
    // Upstream connections are kept for a while and must not count as growth.
    const warm = await Promise.all(Array.from({ length: editsMax }, () => edit(1_000)))
    for (const { status, text, cause } of warm) assert.equal(status, 200, `${cause} ${text}`)
    const { rssKb: restKb } = await readResources(gateway.pid)
    // The heap keeps the memory of the first of these; it must not grow further.
    let before: Resources | null = null
    return async (_random, _point, { isShort }) => {
      const memory = watchMemory(gateway.pid)
      const startedAtMs = Date.now()
      const seen = await Promise.all(Array.from({ length: isShort ? editsMax / 4 : editsMax }, () => edit(imageBytes)))
      const peakKb = memory.stop()
      process.stderr.write(
        `  many-edits: ${seen.length} in ${Date.now() - startedAtMs} ms, from ${restKb} to at most ${peakKb} KB\n`,
      )
      for (const { status, text, cause } of seen) assert.equal(status, 200, `${cause} ${text}`)
      assert.ok(peakKb - restKb < growthMaxKb, `memory grew from ${restKb} to ${peakKb} KB`)
      await world.settleDown()
      await expectNoUploads(gateway.dataFolder)
      if (before !== null) await expectResourcesBack(gateway.pid, before)
      before ??= await readResources(gateway.pid)
    }
  },
}
