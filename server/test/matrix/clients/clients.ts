import { chatClient } from './chat-client.ts'
import type { Client } from './client.ts'
import { messagesClient } from './messages-client.ts'
import { responsesClient } from './responses-client.ts'

export const clients: readonly Client[] = [chatClient, responsesClient, messagesClient]
