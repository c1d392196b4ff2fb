import { editMessages } from '#providers/protocols/openai/request/edit-messages.ts'
import { cacheHitTokens } from '#providers/protocols/openai/answer/extra-counts.ts'
import { withTextContent } from '#providers/protocols/openai/request/message-edits.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'

export const deepseek = openAiHost({
  slug: 'deepseek',
  name: 'DeepSeek',
  baseUrl: 'https://api.deepseek.com',
  quirks: {
    refusesFor: () => ['n'],
    // DeepSeek requires content to be a plain string.
    finishBody: (body) => editMessages(body, withTextContent),
    // The fourth generation thinks by default, and then rejects every earlier assistant turn without its thoughts.
    thoughtsFor: (upstreamModel) => (/v4/.test(upstreamModel) ? 'content-always' : 'content-with-tools'),
    extraCounts: cacheHitTokens,
    finishReasons: { insufficient_system_resource: 'error' },
    thinkingField: 'thinking',
    replay: 'content',
  },
  // The beta has its own address. Models that always think do not complete texts.
  completions: {
    pathFrom: (prefix) => `${prefix.replace(/\/(?:v1|beta)$/, '')}/beta/completions`,
    serves: (upstreamModel) => !upstreamModel.includes('reasoner'),
    fillsGaps: () => true,
    takes: new Set(['frequency_penalty', 'presence_penalty']),
    hasLogprobs: true,
  },
})
