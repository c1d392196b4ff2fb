import assert from 'node:assert/strict'
import type { Scenario } from '#test/simulators/scenario.ts'
import { cutAfterWrites } from '#test/simulators/scenarios/change-steps.ts'
import { faults } from '#test/simulators/scenarios/faults.ts'
import { goodStream } from '#test/simulators/scenarios/good-stream.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import type { Transcript } from '../setup/call.ts'
import { chatBody } from '../setup/chat-body.ts'
import { hasty, patient } from '../setup/upstream-timeouts.ts'
import { streamPieces } from '../setup/gated-stream.ts'
import type { Random } from '../setup/random.ts'

/**
 * An error with this code (null: any). `frame`: status 200, an error frame and [DONE]. `free`: a complete response that
 * costs nothing.
 */
type Ending = { status: number; code: string | null } | 'frame' | 'free'

interface Fault {
  what: string
  stream: boolean
  scenario: Scenario
  ending: Ending
}

const stalled: Ending = { status: 504, code: '504' }
const unavailable: Ending = { status: 502, code: 'upstream_unavailable' }

export const upstreamFaults: Drill = {
  name: 'upstream-faults',
  requires: 'an upstream that stalls, breaks, lies or does not count: 504, 502 or an error frame, and a full refund',
  async start(world) {
    await addUpstream(world)
    await addUpstream(world, { url: 'http://127.0.0.1:9', name: 'closed', pattern: 'openai/gpt-4o-mini' })
    const [hastyGateway, gateway] = await Promise.all([
      world.startGateway({ env: hasty }),
      world.startGateway({ env: patient }),
    ])
    const caller = await world.createClient()
    return async (random) => {
      const before = await world.walletOf(caller.walletId)
      for (const fault of random.shuffle(listFaults(random))) {
        await world.simulator.play(fault.scenario)
        // Faults that end with 504 end the same with a short timeout, so they use the gateway with short timeouts.
        const chosen = fault.ending === stalled ? hastyGateway : gateway
        const seen = await world.call(chosen, caller, chatBody({ stream: fault.stream })).ended
        judgeEnding(fault, seen)
      }
      const closed = await world.call(gateway, caller, chatBody({ model: 'openai/gpt-4o-mini' })).ended
      assert.deepEqual([closed.status, closed.errorCode], [502, 'upstream_unreachable'], closed.text)
      await world.settleDown()
      assert.deepEqual(await world.walletOf(caller.walletId), before, 'everything was refunded')
    }
  },
}

function judgeEnding({ what, stream, ending }: Fault, seen: Transcript): void {
  const about = `${what}, ${stream ? 'streamed' : 'whole'}: ${seen.cause} ${seen.text}`
  assert.equal(seen.end, 'complete', about)
  if (ending === 'frame') {
    assert.deepEqual([seen.status, seen.errorCode !== null, seen.sawDone], [200, true, true], about)
  } else if (ending === 'free') {
    assert.deepEqual([seen.status, seen.errorCode, seen.sawDone], [200, null, stream], about)
    assert.equal(seen.costNano ?? 0n, 0n, about)
  } else {
    assert.deepEqual([seen.status, seen.errorCode], [ending.status, ending.code ?? seen.errorCode], about)
  }
}

function listFaults(random: Random): Fault[] {
  const pieces = streamPieces.slice(0, random.integer(1, streamPieces.length))
  const midStall = cutAfterWrites(goodStream({ pieces }), pieces.length + 1, { do: 'stall' })
  const answer = { kind: 'text', pieces } as const
  return [
    streamed('stall before headers', faults.stallBeforeHeaders(), stalled),
    whole('stall before headers', faults.stallBeforeHeaders(), stalled),
    streamed('stall after headers', faults.stallAfterHeaders(), stalled),
    streamed('stall after the role', faults.roleOnlyThenStall(), stalled),
    streamed('stall mid-stream', midStall, 'frame'),
    streamed('truncation', faults.truncatedStream({ pieces }), 'frame'),
    streamed('reset mid-stream', faults.resetMidStream({ pieces }), 'frame'),
    streamed('close mid-stream', faults.closeMidStream({ pieces }), 'frame'),
    streamed('a frame that is not JSON', faults.invalidJsonFrame({ pieces }), 'frame'),
    streamed('an error frame', faults.textThenError({ pieces }), 'frame'),
    streamed('reset before headers', faults.resetBeforeHeaders(), unavailable),
    whole('reset before headers', faults.resetBeforeHeaders(), unavailable),
    streamed('no HTTP', faults.garbage(), { status: 502, code: null }),
    whole('no JSON', notJson, unavailable),
    whole('a short body', faults.shortBody(), unavailable),
    whole('an empty body', faults.emptyBody('application/json'), unavailable),
    streamed('no usage', faults.textNoUsage({ pieces }), 'free'),
    streamed('zero usage', faults.zeroUsage({ pieces }), 'free'),
    whole('no usage', vendorCompletion('openai', { ...answer, usage: null }), 'free'),
    whole('zero usage', vendorCompletion('openai', { ...answer, usage: { prompt: 0, completion: 0 } }), 'free'),
  ]
}

function streamed(what: string, scenario: Scenario, ending: Ending): Fault {
  return { what, stream: true, scenario, ending }
}

function whole(what: string, scenario: Scenario, ending: Ending): Fault {
  return { what, stream: false, scenario, ending }
}

const notJson: Scenario = {
  kind: 'steps',
  steps: [
    { do: 'head', status: 200, headers: { 'content-type': 'application/json' } },
    { do: 'write', text: '{"id":"chatcmpl-1","choices":[{"mess' },
    { do: 'end' },
  ],
}
