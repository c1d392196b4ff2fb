import type { StepsScenario } from '../../scenario.ts'
import { jsonAnswer } from '../../scenarios/json-answer.ts'
import type { GeminiAnswer } from './gemini-answer.ts'
import { documentOf } from './gemini-frames.ts'
import { geminiRefusal } from './gemini-refusal.ts'

/** The same answer as one document. A fault that breaks a stream midway is an error or half a document here. */
export function geminiDocument(answer: GeminiAnswer): StepsScenario {
  if (answer.kind === 'mid-stream-error') return geminiRefusal('overloaded')
  const scenario = jsonAnswer(200, documentOf(answer))
  const wire = answer.wire === undefined ? {} : { wire: answer.wire }
  if (answer.kind !== 'truncated') return { ...scenario, ...wire }
  const steps = scenario.steps.map((step) =>
    step.do === 'write' ? { ...step, text: step.text.slice(0, step.text.length / 2) } : step,
  )
  return { ...scenario, steps, ...wire }
}
