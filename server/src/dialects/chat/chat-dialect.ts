import { errorBody } from '#errors/gateway-error.ts'
import type { ConversationDialect } from '../dialect.ts'
import { refuseUnfitFor } from '../refuse-unfit.ts'
import { changeContentOf } from '../texts/change-content.ts'
import { changeItems, changeMember } from '../texts/change-member.ts'
import { textAccess } from '../texts/text-access.ts'
import { withoutOpenAiFields } from '../without-openai-fields.ts'
import { checkOpenAiFields } from './chat-fields.ts'
import { chatPrompt } from './chat-prompt.ts'
import { ChatWriter } from './chat-writer.ts'
import { keepAliveComment } from './frames.ts'
import { parseChat } from './parse-chat.ts'
import { refuseUnfitImages } from './refuse-unfit-images.ts'
import { renderDocument } from './render-document.ts'
import { chatToCanonical } from './to-canonical.ts'

const refuseUnfit = refuseUnfitFor(chatPrompt)

/** Messages of every role, including tool results. */
const chatTexts = textAccess((body, change) =>
  changeMember(body, 'messages', (messages) => changeItems(messages, (message) => changeContentOf(message, change))),
)

/** The Chat Completions API. */
export const chatDialect: ConversationDialect = {
  family: 'conversation',
  name: 'chat',
  parse: parseChat,
  prompt: chatPrompt,
  refuseUnfit: (call, model) => {
    refuseUnfit(call, model)
    refuseUnfitImages(call, model)
  },
  ...chatTexts,
  checkFor: (call, { isOpenAiFamily }) => {
    if (isOpenAiFamily) checkOpenAiFields(call.body)
  },
  withoutOpenAiFields,
  toCanonical: chatToCanonical,
  renderDocument,
  createWriter: (context) => new ChatWriter(context),
  keepAlive: { bytes: keepAliveComment },
  errorBody: (error) => JSON.stringify(errorBody(error)),
}
