import type { Scenario } from '#test/simulators/scenario.ts'
import type { Answer } from '#test/simulators/scenarios/answer.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { vendorError } from '#test/simulators/scenarios/vendor-error.ts'
import { vendorStream } from '#test/simulators/scenarios/vendor-stream.ts'
import { startSimulator } from '#test/simulators/start-simulator.ts'
import type { VendorName } from '#test/simulators/vendors/vendor-style.ts'
import type { TwinUpstream } from '../twin.ts'

/** A chat upstream that plays one answer. */
export function playing(scenario: Scenario): () => Promise<TwinUpstream> {
  return () => startSimulator({ scenario })
}

export const hello: Answer = {
  kind: 'text',
  pieces: ['Hel', 'lo', ' there'],
  usage: { prompt: 16, completion: 3, cached: 4 },
}
export const oslo: Answer = {
  kind: 'tools',
  pieces: ['Let me see.'],
  calls: [{ id: 'call_oslo1', name: 'get_weather', arguments: ['{"city":', '"Osl', 'o"}'] }],
  usage: { prompt: 20, completion: 9 },
}

/** The answers of a Chat Completions provider in its own style. */
export function answersOf(style: VendorName) {
  return {
    chat: playing(vendorCompletion(style, hello)),
    stream: playing(vendorStream(style, hello)),
    tools: playing(vendorCompletion(style, oslo)),
    errors: playing(vendorError(style, 'rate-limited')),
  }
}
