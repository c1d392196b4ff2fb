import type { Step, StepsScenario } from '../scenario.ts'

/** Keeps the head and the first writes of a scenario, then continues with other steps. */
export function cutAfterWrites(scenario: StepsScenario, writes: number, ...tail: Step[]): StepsScenario {
  const at = positionAfterWrites(scenario, writes)
  return { ...scenario, steps: [...scenario.steps.slice(0, at), ...tail] }
}

/** Inserts steps (a gate, a wait) after this many writes. */
export function insertAfterWrites(scenario: StepsScenario, writes: number, ...steps: Step[]): StepsScenario {
  const at = positionAfterWrites(scenario, writes)
  return { ...scenario, steps: scenario.steps.toSpliced(at, 0, ...steps) }
}

/** Rewrites the text of every write; null omits the write. */
export function mapWrites(scenario: StepsScenario, change: (text: string) => string | null): StepsScenario {
  const steps = scenario.steps.flatMap((step): Step[] => {
    if (step.do !== 'write') return [step]
    const text = change(step.text)
    return text === null ? [] : [{ do: 'write', text }]
  })
  return { ...scenario, steps }
}

/** The index right after this many writes; right after the head for none. */
function positionAfterWrites({ steps }: StepsScenario, writes: number): number {
  let seen = 0
  const isBoundary = (step: Step) => (step.do === 'write' ? ++seen === writes : step.do === 'head' && writes === 0)
  const found = steps.findIndex(isBoundary)
  if (found === -1) throw new Error(`The scenario has fewer than ${writes} writes.`)
  return found + 1
}
