import type { Protocol } from '#providers/protocol.ts'
import { buildRequest } from './build-request.ts'
import { readDocument } from './read-document.ts'
import { readFailure } from './read-failure.ts'
import { createStreamReader } from './stream-reader.ts'

/** Google's own API for Gemini, as AI Studio and Vertex serve it. */
export const geminiProtocol: Protocol = {
  name: 'gemini',
  // Apart from the client's own fields, the top level holds only the prompt and one object with the cap and the
  // response options.
  learnableFields: {},
  buildRequest,
  isStream: (contentType) => contentType.toLowerCase().startsWith('text/event-stream'),
  createStreamReader: (_vendor, note) => createStreamReader(note),
  readDocument: (bytes, _vendor, note) => readDocument(bytes, note),
  readFailure,
}
