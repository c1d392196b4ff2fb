import type { JsonObject } from '#lib/json.ts'
import type { ResponsesAnswer } from '#test/simulators/protocols/responses/responses-answer.ts'
import { responsesDocument } from '#test/simulators/protocols/responses/responses-document.ts'
import { responsesStream } from '#test/simulators/protocols/responses/responses-stream.ts'
import { jsonAnswer } from '#test/simulators/scenarios/json-answer.ts'
import { startSimulator } from '#test/simulators/start-simulator.ts'
import { vendorError } from '#test/simulators/scenarios/vendor-error.ts'
import type { Scenario } from '#test/simulators/scenario.ts'
import { askChat, type ChatAsked } from '../ours/ask-chat.ts'
import type { Twin, TwinUpstream } from '../twin.ts'
import { toolsBody } from './chat-bodies.ts'

const thought: ResponsesAnswer = {
  kind: 'items',
  items: [
    { type: 'reasoning', id: 'rs_1', summaries: [['Hm', '.']], encrypted: 'gAAAAB==' },
    { type: 'message', pieces: ['Hel', 'lo'] },
  ],
  usage: { prompt: 16, completion: 9, cached: 4, reasoning: 6 },
}
const oslo: ResponsesAnswer = {
  kind: 'tools',
  pieces: ['Let me see.'],
  calls: [{ id: 'call_oslo1', name: 'get_weather', arguments: ['{"city":', '"Osl', 'o"}'] }],
  usage: { prompt: 20, completion: 9 },
}

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }

/** The client bodies of each dialect to us; `sdks/samples.mjs` sends the same to the provider. */
function bodiesFor(model: string) {
  const question = {
    model,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Say hello' },
    ],
    max_tokens: 40,
    reasoning_effort: 'low',
  }
  return {
    question,
    tools: toolsBody(model),
    native: {
      model,
      instructions: 'Be brief.',
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'Say hello' }] },
        { type: 'custom_tool_call', call_id: 'c1', name: 'patch', input: '*** Begin' },
        { type: 'custom_tool_call_output', call_id: 'c1', output: 'done' },
      ],
      max_output_tokens: 40,
      reasoning: { effort: 'low', summary: 'auto' },
      tools: [
        {
          type: 'function',
          name: 'get_weather',
          description: 'The weather of a city',
          parameters: schema,
          strict: false,
        },
        { type: 'custom', name: 'patch' },
      ],
      text: { format: { type: 'json_schema', name: 'place', schema, strict: true } },
      truncation: 'auto',
    },
  }
}

/** xAI's error has two fields in this API. */
const xaiRefusal = jsonAnswer(429, {
  code: 'Some resource has been exhausted',
  error: 'Too many requests for team acme.',
})
const xaiDifferences = {
  'answer.message': 'The SDK puts the status before words that stand in no object; we read the words alone.',
}

/** OpenAI's simulator rejects unknown fields. */
function strictly(scenario: Scenario): () => Promise<TwinUpstream> {
  return () => startSimulator({ scenario, strict: 'openai-responses' })
}

function twinsOf(
  provider: 'openai' | 'xai',
  { model, prefix, style }: { model: string; prefix: string; style: 'openai' | 'xai' },
): Twin[] {
  const bodies = bodiesFor(model)
  const ask = (body: JsonObject & { model: string }, dialect: ChatAsked['dialect'] = 'chat') => {
    const asked = { provider, body, dialect, api: 'responses', openAiFamily: provider === 'openai' } as const
    return () => askChat(asked)
  }
  const play = provider === 'openai' ? strictly : (scenario: Scenario) => () => startSimulator({ scenario })
  const named = (call: string): string => (prefix === '' ? call : `${prefix}R${call.slice(1)}`)
  const refused = style === 'xai' ? xaiRefusal : vendorError('openai', 'rate-limited')
  return [
    { call: 'responses', upstream: play(responsesDocument({ ...thought, style })), ours: ask(bodies.question) },
    {
      call: 'responsesStream',
      upstream: play(responsesStream({ ...thought, style })),
      ours: ask({ ...bodies.question, stream: true }),
    },
    { call: 'responsesTools', upstream: play(responsesDocument({ ...oslo, style })), ours: ask(bodies.tools) },
    { call: 'responsesErrors', upstream: play(refused), ours: ask(bodies.question) },
    {
      call: 'responsesNative',
      upstream: play(responsesDocument({ ...thought, style })),
      ours: ask(bodies.native, 'responses'),
    },
  ].map(({ call, ...rest }) => ({
    ...rest,
    call: named(call),
    provider,
    capability: 'responses',
    sdk: 'openai',
    differences: style === 'xai' && call === 'responsesErrors' ? xaiDifferences : {},
  }))
}

/** Conversations through OpenAI's Responses, of chat clients and of relayed clients. */
export const responsesTwins: readonly Twin[] = [
  ...twinsOf('openai', { model: 'gpt-5-pro', prefix: '', style: 'openai' }),
  ...twinsOf('xai', { model: 'grok-4.3', prefix: 'xai', style: 'xai' }),
  {
    provider: 'azure',
    capability: 'responses',
    sdk: 'openai',
    call: 'azureResponses',
    upstream: strictly(responsesDocument(thought)),
    ours: () =>
      askChat({
        provider: 'azure',
        body: bodiesFor('gpt-5-pro').question,
        api: 'responses',
        baseUrl: 'https://acme.openai.azure.com/openai/v1',
        openAiFamily: true,
      }),
  },
]
