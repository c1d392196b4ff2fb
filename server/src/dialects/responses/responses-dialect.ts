import type { ConversationDialect } from '../dialect.ts'
import { refuseUnfitFor } from '../refuse-unfit.ts'
import { errorBody } from '#errors/gateway-error.ts'
import { leftTools } from './client-tools.ts'
import { itemReferences } from './item-references.ts'
import { responsesPrompt } from './responses-prompt.ts'
import { parseResponses } from './parse-responses.ts'
import { relayBody } from './relay-body.ts'
import { renderResponse } from './render-document.ts'
import { ResponsesWriter } from './responses-writer.ts'
import { storedState } from './stored-state.ts'
import { responsesTexts } from './responses-texts.ts'
import { responsesToCanonical } from './to-canonical.ts'
import { withoutOpenAiFields } from '#dialects/without-openai-fields.ts'

/** The API of `POST /v1/responses`. Every request contains its whole history, or refers to what is stored. */
export const responsesDialect: ConversationDialect = {
  family: 'conversation',
  name: 'responses',
  parse: parseResponses,
  prompt: responsesPrompt,
  refuseUnfit: refuseUnfitFor(responsesPrompt),
  ...responsesTexts,
  withoutOpenAiFields,
  leftTools,
  toCanonical: responsesToCanonical,
  relayBody,
  references: itemReferences,
  storage: storedState,
  renderDocument: renderResponse,
  createWriter: (context) => new ResponsesWriter(context),
  keepAlive: { bytes: ': keep-alive\n\n' },
  errorBody: (error) => JSON.stringify(errorBody(error)),
}
