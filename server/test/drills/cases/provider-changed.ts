import assert from 'node:assert/strict'
import { jsonAnswer } from '#test/simulators/scenarios/json-answer.ts'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { startLoad } from '../setup/load.ts'
import { readMetric } from '../setup/read-metric.ts'
import { until } from '../setup/until.ts'

// The client's wish is said to this vendor in a field of its own.
const field = 'reasoning_effort'
const body = { reasoning: { effort: 'low' } }
const refusal = jsonAnswer(400, {
  error: { message: `property '${field}' is unsupported`, type: 'invalid_request_error' },
})

export const providerChanged: Drill = {
  name: 'provider-changed',
  requires:
    'a provider begins to refuse a field that the gateway sends: no call fails, and metric and log name the field',
  async start(world) {
    await addUpstream(world, { vendor: 'azure' })
    const callers = await Promise.all(Array.from({ length: 4 }, () => world.createCaller()))
    return async (random) => {
      // What a gateway has learned it keeps, so each point has one that knows nothing.
      const gateway = await world.startGateway()
      const load = startLoad(world, random, { targets: () => [gateway], callers, clients: 8, body })
      await load.waitForEnds(random.integer(10, 40))
      await world.simulator.play({ kind: 'by-mark', marks: { [`"${field}"`]: refusal } })
      await load.waitForTurnover()
      await load.waitForEnds(40)
      const seen = await load.stop()
      await world.simulator.play({ kind: 'echo' })
      const failed = seen.filter(
        ({ status, end, errorCode }) => status !== 200 || end !== 'complete' || errorCode !== null,
      )
      assert.deepEqual(failed.slice(0, 3), [], `${failed.length} of ${seen.length} calls failed`)
      const figure = `weir_refused_fields_total\\{[^}]*field="${field}"\\}`
      assert.equal(await readMetric(gateway, figure), 1, 'the metric counts the change once')
      await until(async () =>
        gateway.logLines.some((line) => line.includes(`"field":"${field}"`)) ? null : 'the log does not name the field',
      )
      assert.equal(await gateway.terminate(), 0)
    }
  },
}
