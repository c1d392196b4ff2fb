import type { StepsScenario } from '#test/simulators/scenario.ts'
import { insertAfterWrites } from '#test/simulators/scenarios/change-steps.ts'
import { goodStream } from '#test/simulators/scenarios/good-stream.ts'

export const streamPieces: readonly string[] = Array.from({ length: 12 }, (_, position) => `piece${position} `)

/** A stream that stops after so many pieces until its gate is released. The role comes in a frame of its own. */
export function gatedStream(pieces: number, gate: string): StepsScenario {
  return insertAfterWrites(goodStream({ pieces: streamPieces }), pieces + 1, { do: 'gate', name: gate })
}
