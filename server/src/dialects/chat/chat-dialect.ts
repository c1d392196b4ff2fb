import { errorBody } from '#errors/gateway-error.ts'
import type { Dialect } from '../dialect.ts'
import { checkOpenAiFields } from './chat-fields.ts'
import { chatTexts } from './chat-texts.ts'
import { ChatWriter } from './chat-writer.ts'
import { keepAliveComment } from './frames.ts'
import { chatPrompt } from './chat-prompt.ts'
import { parseChat } from './parse-chat.ts'
import { renderDocument } from './render-document.ts'
import { chatToCanonical } from './to-canonical.ts'
import { withoutOpenAiFields } from '../without-openai-fields.ts'

/** Chat Completions. */
export const chatDialect: Dialect = {
  name: 'chat',
  parse: parseChat,
  prompt: chatPrompt,
  ...chatTexts,
  checkFor: (call, { isOpenAiFamily }) => {
    if (isOpenAiFamily) checkOpenAiFields(call.body)
  },
  withoutOpenAiFields,
  toCanonical: chatToCanonical,
  renderDocument,
  createWriter: (context) => new ChatWriter(context),
  keepAlive: keepAliveComment,
  errorBody: (error) => JSON.stringify(errorBody(error)),
}
