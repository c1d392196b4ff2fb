import type { StepsScenario } from '../scenario.ts'
import { insertAfterWrites } from './change-steps.ts'
import { goodStream } from './good-stream.ts'

/**
 * The good stream, but with its last piece of text (` world`) after finish and usage, and then a gate. The gateway
 * withholds usage until the end; a client that received that text proves that the usage has arrived.
 */
export function textAfterUsage(gate: string): StepsScenario {
  const scenario = goodStream({})
  const indexOf = (part: string): number =>
    scenario.steps.findIndex((step) => step.do === 'write' && step.text.includes(part))
  const [text, usage] = [indexOf('" world"'), indexOf('"usage":{')]
  const last = scenario.steps.slice(text, text + 1)
  const steps = scenario.steps.toSpliced(text, 1).toSpliced(usage, 0, ...last)
  return insertAfterWrites({ ...scenario, steps }, 6, { do: 'gate', name: gate })
}
