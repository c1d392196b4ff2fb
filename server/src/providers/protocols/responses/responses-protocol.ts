import type { Protocol } from '#providers/protocol.ts'
import { buildResponsesRequest } from './build-request.ts'
import { readResponse } from './read-document.ts'
import { readResponsesFailure } from './read-failure.ts'
import { responsesVendor } from './responses-host.ts'
import { createResponsesReader } from './stream-reader.ts'

/** OpenAI's Responses, always stateless: nothing is stored, and every request contains its whole history. */
export const responsesProtocol: Protocol = {
  name: 'responses',
  learnableFields: { reasoning: { effort: 'low' }, include: ['reasoning.encrypted_content'], user: 'weir' },
  buildRequest: buildResponsesRequest,
  isStream: (contentType) => contentType.trimStart().toLowerCase().startsWith('text/event-stream'),
  createStreamReader: (vendor, note) => createResponsesReader(responsesVendor(vendor).responses, note),
  readDocument: (bytes, vendor, note) => readResponse(bytes, responsesVendor(vendor).responses, note),
  readFailure: readResponsesFailure,
}
