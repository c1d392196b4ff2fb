import type { StepsScenario } from '../../scenario.ts'
import { jsonAnswer } from '../../scenarios/json-answer.ts'
import { type ResponsesAnswer, wholeResponse } from './responses-answer.ts'
import { responsesError } from './responses-error.ts'

/** The response to `stream: false`. An answer that would fail mid-stream fails immediately here. */
export function responsesDocument(answer: ResponsesAnswer): StepsScenario {
  if (answer.kind === 'mid-stream-error') return responsesError('server-error')
  const scenario = jsonAnswer(200, wholeResponse(answer), { 'x-request-id': 'req_sim01' })
  return answer.wire === undefined ? scenario : { ...scenario, wire: answer.wire }
}
