import type { Protocol } from '#providers/protocol.ts'
import { buildRequest } from './build-request.ts'
import { readDocument } from './read-document.ts'
import { readFailure } from './read-failure.ts'
import { createStreamReader } from './stream-reader.ts'

/** The Converse API of Amazon Bedrock. Requests are signed after they are built. */
export const bedrockProtocol: Protocol = {
  name: 'bedrock',
  // A rejection has no member that names the field, and the optional fields also hold the client's own values.
  learnableFields: {},
  buildRequest,
  isStream: (contentType) => contentType.startsWith('application/vnd.amazon.eventstream'),
  createStreamReader: (_vendor, note) => createStreamReader(note),
  readDocument: (bytes, _vendor, note) => readDocument(bytes, note),
  readFailure,
}
