import type { ConversationDialect } from '../dialect.ts'
import { refuseUnfitFor } from '../refuse-unfit.ts'
import { messagesErrorBody } from './error-json.ts'
import { pingFrame } from './frames.ts'
import { messagesPrompt } from './messages-prompt.ts'
import { MessagesWriter } from './messages-writer.ts'
import { parseMessages } from './parse-messages.ts'
import { relayBody } from './relay-body.ts'
import { renderDocument } from './render-document.ts'
import { messagesTexts } from './messages-texts.ts'
import { toCanonical } from './to-canonical.ts'

/** What callers of the Messages endpoint speak. */
export const messagesDialect: ConversationDialect = {
  family: 'conversation',
  name: 'messages',
  parse: parseMessages,
  prompt: messagesPrompt,
  refuseUnfit: refuseUnfitFor(messagesPrompt),
  ...messagesTexts,
  toCanonical,
  relayBody,
  renderDocument,
  createWriter: (context) => new MessagesWriter(context),
  keepAlive: { bytes: pingFrame },
  errorBody: messagesErrorBody,
  replyHeaders: (requestId) => ({ 'request-id': requestId }),
}
