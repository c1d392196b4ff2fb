import type { Protocol } from '#providers/protocol.ts'
import { buildRequest } from './build-request.ts'
import { readDocument } from './read-document.ts'
import { readFailure } from './read-failure.ts'
import { createStreamReader } from './stream-reader.ts'

/** Google's own API for Gemini, on AI Studio and Vertex. */
export const geminiProtocol: Protocol = {
  name: 'gemini',
  // Besides the client's own fields, the top level contains only the prompt and one object with the cap and the
  // response options.
  learnableFields: {},
  buildRequest,
  isStream: (contentType) => contentType.toLowerCase().startsWith('text/event-stream'),
  createStreamReader: (_vendor, note) => createStreamReader(note),
  readDocument: (bytes, _vendor, note) => readDocument(bytes, note),
  readFailure,
}
