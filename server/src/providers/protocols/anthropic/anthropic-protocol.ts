import type { Protocol } from '#providers/protocol.ts'
import { buildMessagesRequest } from './build-request.ts'
import { readMessage } from './read-document.ts'
import { readMessagesFailure } from './read-failure.ts'
import { createMessagesReader } from './stream-reader.ts'

/** Anthropic's Messages API, as an upstream. */
export const anthropicProtocol: Protocol = {
  name: 'anthropic',
  learnableFields: { thinking: { type: 'disabled' }, metadata: { user_id: 'weir' } },
  buildRequest: buildMessagesRequest,
  isStream: (contentType) => /^\s*text\/event-stream\b/i.test(contentType),
  createStreamReader: (_vendor, note) => createMessagesReader(note),
  readDocument: (bytes, _vendor, note) => readMessage(bytes, note),
  readFailure: readMessagesFailure,
}
