import type { Protocol } from '#providers/protocol.ts'
import { buildResponsesRequest } from './build-request.ts'
import { readResponse } from './read-document.ts'
import { readResponsesFailure } from './read-failure.ts'
import { responsesVendor } from './responses-host.ts'
import { createResponsesReader } from './stream-reader.ts'

/** OpenAI's Responses, always without its memory: nothing is stored, and every request brings its whole history. */
export const responsesProtocol: Protocol = {
  name: 'responses',
  buildRequest: buildResponsesRequest,
  isStream: (contentType) => contentType.trimStart().toLowerCase().startsWith('text/event-stream'),
  createStreamReader: (vendor) => createResponsesReader(responsesVendor(vendor).responses),
  readDocument: (bytes, vendor) => readResponse(bytes, responsesVendor(vendor).responses),
  readFailure: readResponsesFailure,
}
