import type { JsonObject } from '#test/simulators/json-value.ts'
import { bedrockRefusal } from '#test/simulators/protocols/bedrock/bedrock-refusal.ts'
import type { StepsScenario } from '#test/simulators/scenario.ts'
import { jsonAnswer } from '#test/simulators/scenarios/json-answer.ts'

/** An upstream that two tenants share. */
export interface Host {
  readonly name: string
  readonly vendor: string
  readonly model: string
  /** Stands behind the simulator's address. */
  readonly base: string
  readonly api?: 'responses'
  /** How it refuses a request. */
  readonly refuse: (said: Said) => StepsScenario
  /** What the gateway sends it for a wish for thinking, or beside one, and could leave out. */
  readonly ours: readonly string[]
}

/** What a refusal says: a sentence, and the field at fault with a code where there is a place for them. */
export interface Said {
  readonly message: string
  readonly param?: string
  readonly code?: string
}

/** One for every protocol, and three that are told of thinking in other fields. */
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
