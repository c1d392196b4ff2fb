import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import type { Dialect, DialectName } from '#dialects/dialect.ts'
import { messagesDialect } from '#dialects/messages/messages-dialect.ts'
import { responsesDialect } from '#dialects/responses/responses-dialect.ts'

export const dialects: Readonly<Record<DialectName, Dialect>> = {
  chat: chatDialect,
  responses: responsesDialect,
  messages: messagesDialect,
}
