import type { Scenario, StepsScenario } from '#test/simulators/scenario.ts'
import { insertAfterWrites } from '#test/simulators/scenarios/change-steps.ts'
import { goodStream } from '#test/simulators/scenarios/good-stream.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'

export const streamPieces: readonly string[] = Array.from({ length: 12 }, (_, position) => `piece${position} `)

/** A stream that stops after this many pieces until its gate is released. The role comes in its own frame. */
export function gatedStream(pieces: number, gate: string): StepsScenario {
  return insertAfterWrites(goodStream({ pieces: streamPieces }), pieces + 1, { do: 'gate', name: gate })
}

/** A successful response, streamed or not as requested, that starts once its gate is released. */
export function gatedCompletion(gate: string): Scenario {
  const usage = { prompt: 16, completion: streamPieces.length }
  const whole = vendorCompletion('openai', { kind: 'text', pieces: streamPieces, usage })
  const behindGate = (scenario: StepsScenario): Scenario => ({
    ...scenario,
    steps: [{ do: 'gate', name: gate }, ...scenario.steps],
  })
  return { kind: 'by-request', stream: behindGate(goodStream({ pieces: streamPieces })), json: behindGate(whole) }
}
