import type { VendorName } from '#test/simulators/vendors/vendor-style.ts'
import { askChat } from '../ours/ask-chat.ts'
import type { Twin } from '../twin.ts'
import { documentBody, streamBody, toolsBody } from './chat-bodies.ts'
import { answersOf } from './play-scenario.ts'

interface ChatProvider {
  readonly provider: Twin['provider']
  readonly sdk: string
  readonly style: VendorName
  readonly model: string
  readonly openAiFamily?: true
  readonly differences?: Readonly<Partial<Record<ChatCapability, Readonly<Record<string, string>>>>>
  /** The capabilities without an SDK call. */
  readonly without?: readonly ChatCapability[]
}

type ChatCapability = 'chat' | 'stream' | 'tools' | 'errors'

const usageAsked = { '1.body.stream_options': 'We ask for usage, which this provider takes; its SDK leaves it out.' }

const providers: readonly ChatProvider[] = [
  { provider: 'openai', sdk: 'openai', style: 'openai', model: 'gpt-4o', openAiFamily: true },
  {
    provider: 'groq',
    sdk: 'groq-sdk',
    style: 'groq',
    model: 'llama-3.3-70b-versatile',
    differences: { stream: usageAsked },
  },
  {
    provider: 'together',
    sdk: 'together-ai',
    style: 'together',
    model: 'meta-llama/Llama-4-Scout',
    differences: { stream: usageAsked },
  },
  { provider: 'cerebras', sdk: '@cerebras/cerebras_cloud_sdk', style: 'cerebras', model: 'llama-4-scout' },
  { provider: 'sambanova', sdk: 'sambanova', style: 'generic', model: 'Meta-Llama-3.3-70B-Instruct' },
  {
    provider: 'perplexity',
    sdk: '@perplexity-ai/perplexity_ai',
    style: 'perplexity',
    model: 'sonar',
    without: ['tools'],
  },
]

/** Providers whose SDK has Chat Completions like OpenAI's. */
export const chatCompletionTwins: readonly Twin[] = providers.flatMap((given) => {
  const { provider, sdk, style, model, differences = {}, without = [], openAiFamily = false } = given
  const answers = answersOf(style)
  const bodies = {
    chat: documentBody(model),
    stream: streamBody(model),
    tools: toolsBody(model),
    errors: documentBody(model),
  } as const
  return (['chat', 'stream', 'tools', 'errors'] as const)
    .filter((capability) => !without.includes(capability))
    .map((capability) => ({
      provider,
      capability,
      sdk,
      call: capability,
      upstream: answers[capability],
      ours: () => askChat({ provider, body: bodies[capability], openAiFamily }),
      differences: differences[capability] ?? {},
    }))
})
