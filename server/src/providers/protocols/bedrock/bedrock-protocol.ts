import type { Protocol } from '#providers/protocol.ts'
import { buildRequest } from './build-request.ts'
import { readDocument } from './read-document.ts'
import { readFailure } from './read-failure.ts'
import { createStreamReader } from './stream-reader.ts'

/** The Converse API of Amazon Bedrock. Requests are signed after they are built. */
export const bedrockProtocol: Protocol = {
  name: 'bedrock',
  buildRequest,
  isStream: (contentType) => contentType.startsWith('application/vnd.amazon.eventstream'),
  createStreamReader,
  readDocument,
  readFailure,
}
