// Common parts of every SDK's calls. The files are the same bytes as in `ours/ask-media.ts`.
export const wav = () => new File([Buffer.from('RIFF sample of twins', 'latin1')], 'speech.wav', { type: 'audio/wav' })
export const png = () => new File([Buffer.from('PNG sample of twins', 'latin1')], 'image.png', { type: 'image/png' })

export const question = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Say hello' },
]

export const weatherSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
export const weatherTool = {
  type: 'function',
  function: { name: 'get_weather', description: 'The weather of a city', parameters: weatherSchema },
}

/** A Chat Completions response as the twin's answer. */
export function chatReply({ choices, usage }) {
  const [{ message, finish_reason: finish }] = choices
  return {
    text: message.content ?? '',
    thinking: message.reasoning ?? message.reasoning_content ?? '',
    calls: (message.tool_calls ?? []).map(callOf),
    finish,
    usage: chatUsage(usage),
  }
}

export async function chatStreamReply(stream) {
  const reply = { text: '', thinking: '', calls: [], finish: null, usage: null }
  for await (const chunk of stream) {
    const usage = chunk.usage ?? chunk.x_groq?.usage
    if (usage) reply.usage = chatUsage(usage)
    const [choice] = chunk.choices ?? []
    if (choice === undefined) continue
    const { delta, finish_reason: finish } = choice
    reply.text += delta?.content ?? ''
    reply.thinking += delta?.reasoning ?? delta?.reasoning_content ?? ''
    for (const call of delta?.tool_calls ?? []) addCall(reply.calls, call)
    if (finish) reply.finish = finish
  }
  reply.calls = reply.calls.map(callOf)
  return reply
}

function addCall(calls, { index, id, function: said }) {
  calls[index] ??= { id, function: { name: said.name, arguments: '' } }
  calls[index].function.arguments += said.arguments ?? ''
}

function callOf({ id, function: { name, arguments: json } }) {
  return { id, name, arguments: typeof json === 'string' ? JSON.parse(json) : json }
}

export function chatUsage(usage) {
  if (!usage) return null
  return {
    prompt: usage.prompt_tokens,
    cached: usage.prompt_tokens_details?.cached_tokens ?? usage.cached_tokens ?? 0,
    completion: usage.completion_tokens,
    reasoning: usage.completion_tokens_details?.reasoning_tokens ?? 0,
  }
}

/** An SDK's exception for an error response, as the twin's answer. */
export async function failureOf(call) {
  try {
    await call()
  } catch (error) {
    return { status: error.status ?? error.statusCode, message: messageOf(error) }
  }
  throw new Error('the upstream did not refuse')
}

function messageOf(error) {
  const body = objectIn(error.error ?? error.body ?? error.message)
  return body.error?.message ?? body.message ?? body.detail ?? error.message
}

/** Some SDKs keep the body as a string. */
function objectIn(body) {
  if (typeof body !== 'string') return body
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}

export const bytesOf = async (response) => ({
  base64: Buffer.from(await new Response(response.body ?? response).arrayBuffer()).toString('base64'),
})

/** The bodies of Chat Completions; `calls/chat-bodies.ts` has the same ones. */
export const documentBody = (model) => ({ model, messages: question, max_tokens: 40, temperature: 0.5, stop: ['END'], stream: false })
export const streamBody = (model) => ({ model, messages: question, max_tokens: 40, stream: true })
export const toolsBody = (model) => ({
  model,
  messages: [
    { role: 'user', content: 'Weather in Oslo?' },
    {
      role: 'assistant',
      content: 'Let me look.',
      tool_calls: [{ id: 'call00001', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Bergen"}' } }],
    },
    { role: 'tool', tool_call_id: 'call00001', content: '9 degrees' },
  ],
  max_tokens: 40,
  tools: [weatherTool],
  tool_choice: 'auto',
  stream: false,
})

/** The four calls of an SDK whose client has `chat.completions.create`. */
export const chatCalls = (clientOf, { model, streamFields = {} }) => ({
  chat: async (upstream) => chatReply(await clientOf(upstream).chat.completions.create(documentBody(model))),
  stream: async (upstream) =>
    chatStreamReply(await clientOf(upstream).chat.completions.create({ ...streamBody(model), ...streamFields })),
  tools: async (upstream) => chatReply(await clientOf(upstream).chat.completions.create(toolsBody(model))),
  errors: (upstream) => failureOf(() => clientOf(upstream).chat.completions.create(documentBody(model))),
})

export const includeUsage = { stream_options: { include_usage: true } }

const flatTool = { type: 'function', name: 'get_weather', description: 'The weather of a city', parameters: weatherSchema, strict: false }
const whole = { store: false, stream: false }

/** The calls of an SDK whose client has `responses.create`; `calls/responses.ts` sends us the same. */
export const responsesCalls = (clientOf, { model, fields }) => {
  const asked = { model, instructions: 'Be brief.', input: [{ role: 'user', content: 'Say hello' }], max_output_tokens: 40, ...fields }
  const create = (upstream, body) => clientOf(upstream).responses.create(body)
  return {
    responses: async (upstream) => responsesReply(await create(upstream, { ...asked, ...whole })),
    responsesStream: async (upstream) =>
      responsesStreamReply(await create(upstream, { ...asked, store: false, stream: true })),
    responsesTools: async (upstream) =>
      responsesReply(
        await create(upstream, {
          model,
          input: [
            { role: 'user', content: 'Weather in Oslo?' },
            { role: 'assistant', content: 'Let me look.' },
            { type: 'function_call', call_id: 'call00001', name: 'get_weather', arguments: '{"city":"Bergen"}' },
            { type: 'function_call_output', call_id: 'call00001', output: '9 degrees' },
          ],
          max_output_tokens: 40,
          tools: [flatTool],
          tool_choice: 'auto',
          include: fields.include,
          ...whole,
        }),
      ),
    responsesErrors: (upstream) => failureOf(() => create(upstream, { ...asked, ...whole })),
    responsesNative: async (upstream) =>
      responsesReply(
        await create(upstream, {
          ...asked,
          input: [
            { role: 'user', content: [{ type: 'input_text', text: 'Say hello' }] },
            { type: 'custom_tool_call', call_id: 'c1', name: 'patch', input: '*** Begin' },
            { type: 'custom_tool_call_output', call_id: 'c1', output: 'done' },
          ],
          tools: [flatTool, { type: 'custom', name: 'patch' }],
          text: { format: { type: 'json_schema', name: 'place', schema: weatherSchema, strict: true } },
          truncation: 'auto',
          ...whole,
        }),
      ),
  }
}

export function responsesReply({ output, output_text: text, status, incomplete_details: why, usage }) {
  return {
    text,
    thinking: output.flatMap((item) => (item.type === 'reasoning' ? item.summary.map((part) => part.text) : [])).join(''),
    calls: output.flatMap((item) =>
      item.type === 'function_call' ? [{ id: item.call_id, name: item.name, arguments: JSON.parse(item.arguments) }] : [],
    ),
    finish: why?.reason ?? status,
    usage: {
      prompt: usage.input_tokens,
      cached: usage.input_tokens_details.cached_tokens,
      completion: usage.output_tokens,
      reasoning: usage.output_tokens_details.reasoning_tokens,
    },
  }
}

async function responsesStreamReply(stream) {
  let [text, last] = ['', null]
  for await (const event of stream) {
    if (event.type === 'response.output_text.delta') text += event.delta
    if (event.type === 'response.completed' || event.type === 'response.incomplete') last = event.response
  }
  return responsesReply({ ...last, output_text: text })
}
