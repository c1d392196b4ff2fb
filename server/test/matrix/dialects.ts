import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import type { ConversationDialect } from '#dialects/dialect.ts'
import type { ConversationName } from './axes.ts'
import { messagesDialect } from '#dialects/messages/messages-dialect.ts'
import { responsesDialect } from '#dialects/responses/responses-dialect.ts'

export const dialects: Readonly<Record<ConversationName, ConversationDialect>> = {
  chat: chatDialect,
  responses: responsesDialect,
  messages: messagesDialect,
}
