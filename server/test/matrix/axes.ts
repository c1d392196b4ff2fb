/**
 * The axes of the matrix, written by hand. A new dialect or protocol joins here, and must then fill every table of the
 * matrix.
 */
export const conversationNames = ['chat', 'responses', 'messages'] as const
export type ConversationName = (typeof conversationNames)[number]

export const protocolNames = ['openai', 'anthropic', 'gemini', 'bedrock', 'responses'] as const
export type ProtocolName = (typeof protocolNames)[number]
