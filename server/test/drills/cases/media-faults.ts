import assert from 'node:assert/strict'
import type { Scenario } from '#test/simulators/scenario.ts'
import { faults } from '#test/simulators/scenarios/faults.ts'
import type { Drill } from '../drill.ts'
import { expectNoUploads } from '../setup/expect-no-uploads.ts'
import { wholeAnswer } from '../setup/media-answers.ts'
import { addMediaUpstream, type MediaCall, mediaCalls } from '../setup/media-calls.ts'
import { hasty, patient } from '../setup/upstream-timeouts.ts'

interface Fault {
  what: string
  scenario: Scenario
  /** The client's view of the end; `broken` if the response had started and only the connection shows the failure. */
  ending: number | 'broken'
}

export const mediaFaults: Drill = {
  name: 'media-faults',
  requires:
    'embeddings, images and audio of an upstream that refuses, stalls, breaks or lies: an error and a full refund',
  async start(world) {
    await addMediaUpstream(world)
    const [hastyGateway, gateway] = await Promise.all([
      world.startGateway({ env: hasty }),
      world.startGateway({ env: patient }),
    ])
    const [payer, victim] = [await world.createClient(), await world.createClient()]
    return async (random) => {
      for (const call of random.shuffle(mediaCalls)) {
        await world.simulator.play(wholeAnswer(call.answer.text, call.answer.type))
        const good = await world.call(gateway, payer, call.body, call.path).ended
        assert.equal(good.status, 200, `${call.what}: ${good.text}`)
        if (good.tellsCost) assert.ok((good.costNano ?? 0n) > 0n, `${call.what} shows its cost: ${good.text}`)
        for (const fault of random.shuffle(faultsOf(call))) {
          await world.simulator.play(fault.scenario)
          const chosen = fault.ending === 504 ? hastyGateway : gateway
          const seen = await world.call(chosen, victim, call.body, call.path).ended
          const about = `${call.what}, ${fault.what}: ${seen.end} ${seen.status} ${seen.text}`
          if (fault.ending === 'broken') assert.equal(seen.end, 'broken', about)
          else assert.deepEqual([seen.end, seen.status], ['complete', fault.ending], about)
        }
      }
      await world.settleDown()
      const { charged, held } = await world.walletOf(victim.walletId)
      assert.deepEqual({ charged, held }, { charged: '0', held: '0' }, 'everything was refunded')
      await Promise.all([expectNoUploads(hastyGateway.dataFolder), expectNoUploads(gateway.dataFolder)])
    }
  },
}

function faultsOf({ what, answer }: MediaCall): Fault[] {
  const half = answer.text.slice(0, answer.text.length / 2)
  const isSpeech = what === 'speech'
  const head = {
    do: 'head',
    status: 200,
    headers: { 'content-type': answer.type, 'content-length': '100000' },
  } as const
  const cut: Scenario = { kind: 'steps', steps: [head, { do: 'write', text: half }, { do: 'reset' }] }
  const stalled: Scenario = { kind: 'steps', steps: [head, { do: 'write', text: half }, { do: 'stall' }] }
  return [
    { what: 'stall before headers', scenario: faults.stallBeforeHeaders(), ending: 504 },
    { what: 'reset before headers', scenario: faults.resetBeforeHeaders(), ending: 502 },
    { what: 'no HTTP', scenario: faults.garbage(), ending: 502 },
    { what: 'an error of its own', scenario: failing, ending: 502 },
    { what: 'an empty body', scenario: wholeAnswer('', answer.type), ending: 502 },
    { what: 'cut in the middle', scenario: cut, ending: isSpeech ? 'broken' : 502 },
    { what: 'stall in the middle', scenario: stalled, ending: isSpeech ? 'broken' : 504 },
    ...(isSpeech ? [] : [{ what: 'half a body', scenario: wholeAnswer(half, answer.type), ending: 502 }]),
  ]
}

const failing: Scenario = {
  kind: 'steps',
  steps: [
    { do: 'head', status: 500, headers: { 'content-type': 'application/json' } },
    { do: 'write', text: '{"error":{"message":"not now","type":"server_error"}}' },
    { do: 'end' },
  ],
}
