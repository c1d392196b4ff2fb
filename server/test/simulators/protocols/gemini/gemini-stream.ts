import type { Step, StepsScenario } from '../../scenario.ts'
import type { GeminiAnswer } from './gemini-answer.ts'
import { framesOf } from './gemini-frames.ts'

/**
 * A streamed answer as Gemini sends it: bare `data:` frames without an end marker, or one array. Every frame is one
 * write step.
 */
export function geminiStream(answer: GeminiAnswer): StepsScenario {
  const isArray = answer.form === 'array'
  const frames = framesOf(answer).map((frame) => JSON.stringify(frame))
  const writes = isArray ? arrayTexts(frames) : frames.map((text) => `data: ${text}\n\n`)
  const contentType = isArray ? 'application/json; charset=UTF-8' : 'text/event-stream'
  return {
    kind: 'steps',
    steps: [
      { do: 'head', status: 200, headers: { 'content-type': contentType } },
      ...writes.map((text): Step => ({ do: 'write', text })),
      { do: 'end' },
    ],
    ...(answer.wire === undefined ? {} : { wire: answer.wire }),
  }
}

function arrayTexts(frames: readonly string[]): string[] {
  return [...frames.map((text, position) => `${position === 0 ? '[' : ',\r\n'}${text}`), '\n]']
}
