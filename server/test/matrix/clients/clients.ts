import { chatClient } from './chat-client.ts'
import type { Client } from './client.ts'
import { messagesClient } from './messages-client.ts'
import { responsesClient } from './responses-client.ts'

/** One for every dialect. */
export const clients: readonly Client[] = [chatClient, responsesClient, messagesClient]
