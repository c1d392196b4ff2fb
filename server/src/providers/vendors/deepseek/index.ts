import { editMessages } from '#providers/protocols/openai/request/edit-messages.ts'
import { cacheHitTokens } from '#providers/protocols/openai/answer/extra-counts.ts'
import { withReasoningContent, withTextContent } from '#providers/protocols/openai/request/message-edits.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'

export const deepseek = openAiHost({
  slug: 'deepseek',
  name: 'DeepSeek',
  baseUrl: 'https://api.deepseek.com',
  quirks: {
    refuses: ['n'],
    renames: { max_completion_tokens: 'max_tokens' },
    // Content must be a plain string, and reasoning must come back with the tool calls that it led to.
    finishBody: (body) => editMessages(body, (message) => withTextContent(withReasoningContent(message))),
    extraCounts: cacheHitTokens,
    finishReasons: { insufficient_system_resource: 'error' },
    thinkingField: 'thinking',
    replay: 'content',
  },
})
