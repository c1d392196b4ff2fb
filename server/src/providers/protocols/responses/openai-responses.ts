import type { ResponsesQuirks } from '#providers/spec.ts'
import { isReasoningModel } from '../openai/request/output-cap.ts'
import { openAiFields } from './known-fields.ts'

/** OpenAI's own Responses, also on Azure. */
export const openAiResponses: ResponsesQuirks = {
  thoughts: 'openai',
  thinks: isReasoningModel,
  samplesWhileThinking: false,
  outputCapMin: 16,
  takes: openAiFields,
}
