import type { JsonValue } from '../json-value.ts'
import type { StepsScenario } from '../scenario.ts'

export function jsonAnswer(status: number, body: JsonValue, headers: Record<string, string> = {}): StepsScenario {
  return {
    kind: 'steps',
    steps: [
      { do: 'head', status, headers: { 'content-type': 'application/json', ...headers } },
      { do: 'write', text: JSON.stringify(body) },
      { do: 'end' },
    ],
  }
}
