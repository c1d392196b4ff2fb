import type { JsonObject } from '#test/simulators/json-value.ts'
import { bedrockRefusal } from '#test/simulators/protocols/bedrock/bedrock-refusal.ts'
import type { StepsScenario } from '#test/simulators/scenario.ts'
import { jsonAnswer } from '#test/simulators/scenarios/json-answer.ts'

/** An upstream shared by two tenants. */
export interface Host {
  readonly name: string
  readonly vendor: string
  readonly model: string
  /** The path after the simulator's address. */
  readonly base: string
  readonly api?: 'responses'
  /** Its error response. */
  readonly refuse: (said: Said) => StepsScenario
  /** The fields that the gateway adds for a thinking request, and could omit. */
  readonly ours: readonly string[]
}

/**
 * The content of an error response: a sentence, and the field at fault with a code if the format has members for them.
 */
export interface Said {
  readonly message: string
  readonly param?: string
  readonly code?: string
}

/** One upstream for every protocol, and three with other fields for thinking. */
export const hosts: readonly Host[] = [
  { ...openAi('chat', 'openai', 'openai/gpt-4o-mini'), ours: [] },
  { ...openAi('groq', 'groq', 'meta-llama/llama-3.3-70b-instruct'), ours: ['reasoning_effort'] },
  { ...openAi('alibaba', 'alibaba', 'qwen/qwen3-32b'), ours: ['enable_thinking'] },
  { ...openAi('zhipu', 'z-ai', 'z-ai/glm-4.7'), ours: ['thinking'] },
  { ...openAi('responses', 'openai', 'openai/gpt-5.2'), api: 'responses', ours: ['reasoning', 'include'] },
  {
    name: 'claude',
    vendor: 'anthropic',
    model: 'anthropic/claude-sonnet-4.6',
    base: '',
    refuse: ({ message }) => jsonAnswer(400, { type: 'error', error: { type: 'invalid_request_error', message } }),
    ours: ['thinking'],
  },
  {
    name: 'gemini',
    vendor: 'google-ai-studio',
    model: 'google/gemini-3-pro',
    base: '/v1',
    refuse: ({ message, param = '' }) => {
      const violations = [{ field: param, description: message }]
      const details = [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: violations }]
      return jsonAnswer(400, { error: { code: 400, message, status: 'INVALID_ARGUMENT', details } })
    },
    ours: [],
  },
  {
    name: 'bedrock',
    vendor: 'amazon-bedrock',
    model: 'mistralai/mistral-medium-3.1',
    base: '',
    refuse: ({ message }) => bedrockRefusal({ status: 400, type: 'ValidationException', message }),
    ours: [],
  },
]

function openAi(name: string, vendor: string, model: string): Omit<Host, 'ours'> {
  return { name, vendor, model, base: '/v1', refuse: refuseAsOpenAi }
}

function refuseAsOpenAi({ message, param, code }: Said): StepsScenario {
  const error: JsonObject = { message, type: 'invalid_request_error', param: param ?? null, code: code ?? null }
  return jsonAnswer(400, { error })
}
