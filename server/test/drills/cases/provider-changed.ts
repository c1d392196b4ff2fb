import assert from 'node:assert/strict'
import { changeProviderAccount } from '#control/operators/change-provider-account.ts'
import { replaceOverrides } from '#control/operators/edit-overrides.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { vendorTerms } from '#bin/vendor-terms.ts'
import type { JsonObject } from '#lib/json.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'
import { jsonAnswer } from '#test/simulators/scenarios/json-answer.ts'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import type { Transcript } from '../setup/call.ts'
import { chatBody } from '../setup/chat-body.ts'
import { startLoad } from '../setup/load.ts'
import { readMetric } from '../setup/read-metric.ts'
import { until } from '../setup/until.ts'
import type { World } from '../setup/world.ts'

// This vendor takes the client's setting in its own field.
const field = 'reasoning_effort'
const body = { reasoning: { effort: 'low' } }
const refusal = jsonAnswer(400, {
  error: { message: `property '${field}' is unsupported`, type: 'invalid_request_error' },
})

export const providerChanged: Drill = {
  name: 'provider-changed',
  requires:
    'a provider begins to refuse a field that the gateway sends: no call fails, metric and log name the field, and an override in ' +
    'configuration ends it without a restart',
  async start(world) {
    await addUpstream(world, { vendor: 'azure' })
    const callers = await Promise.all(Array.from({ length: 4 }, () => world.createClient()))
    const [caller] = callers
    assert.ok(caller !== undefined)
    return async (random) => {
      // A gateway keeps what it learned, so each point starts a fresh one.
      const gateway = await world.startGateway()
      const load = startLoad(world, random, { targets: () => [gateway], callers, clients: 8, body })
      await load.waitForEnds(random.integer(10, 40))
      await world.simulator.play({ kind: 'by-mark', marks: { [`"${field}"`]: refusal } })
      await load.waitForTurnover()
      await load.waitForEnds(40)
      assertServed(await load.stop())
      const figure = `weir_provider_rejected_fields_total\\{[^}]*field="${field}"\\}`
      await until(async () =>
        (await readMetric(gateway, figure).catch(() => 0)) === 1 ? null : 'the metric does not count the change',
      )
      await until(async () =>
        gateway.logLines.some((line) => line.includes(`"field":"${field}"`)) ? null : 'the log does not name the field',
      )
      // The provider now takes the setting in another field, which no gateway can detect.
      await override(world, [{ thinking: 'reasoning' }])
      await until(async () => {
        const { status } = await world.call(gateway, caller, chatBody({ stream: false, ...body })).ended
        assert.equal(status, 200)
        return (await lastBody(world)).includes('"reasoning":') ? null : 'the override is not in force'
      })
      await world.simulator.forget()
      const calm = startLoad(world, random, { targets: () => [gateway], callers, clients: 8, body })
      await calm.waitForEnds(40)
      assertServed(await calm.stop())
      const bodies = (await world.simulator.requests()).map((request) => JSON.stringify(request.body))
      assert.ok(bodies.length >= 40, 'the provider is asked')
      assert.deepEqual(
        bodies.filter((text) => text.includes(`"${field}"`) || !text.includes('"reasoning":')),
        [],
        'every wish is said in the field of the override',
      )
      assert.equal(await readMetric(gateway, figure), 1, 'nothing more is refused')
      assert.equal(await gateway.terminate(), 0)
      await world.simulator.play({ kind: 'echo' })
      await override(world, [])
    }
  },
}

function assertServed(seen: readonly Transcript[]): void {
  const failed = seen.filter(({ status, end, errorCode }) => status !== 200 || end !== 'complete' || errorCode !== null)
  assert.deepEqual(failed.slice(0, 3), [], `${failed.length} of ${seen.length} calls failed`)
}

async function override({ pool }: World, rows: JsonObject[]): Promise<void> {
  const { operators } = createPostgresOperators(pool)
  const edit = { name: 'first', overridesOf: replaceOverrides(vendorTerms, rows) }
  await changeProviderAccount({ operators, vendors: vendorTerms }, edit, operatorAuthor(Date.now()))
}

async function lastBody({ simulator }: World): Promise<string> {
  return JSON.stringify((await simulator.requests()).at(-1)?.body) ?? ''
}
