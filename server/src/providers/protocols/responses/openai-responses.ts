import type { ResponsesQuirks } from '#providers/spec.ts'
import { isReasoningModel } from '../openai/request/output-cap.ts'
import { openAiFields } from './known-fields.ts'

/** OpenAI's own, also where Azure hosts it. */
export const openAiResponses: ResponsesQuirks = {
  thoughts: 'openai',
  thinks: isReasoningModel,
  samplesWhileThinking: false,
  outputCapMin: 16,
  takes: openAiFields,
}
