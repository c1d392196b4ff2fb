/** A client's view of a whole stream. */
interface HeardStream {
  text: string
  outputTokens: number | null
  finish: string | null
}

interface StreamForm {
  path: string
  /** The end of a complete stream; at most as long as the tail that the load keeps. */
  tail: string
  read(body: string): HeardStream
}

/** The dialects of the bench's requests. */
export type BenchDialect = 'chat' | 'messages'

export const streamForms: Record<BenchDialect, StreamForm> = {
  chat: { path: '/v1/chat/completions', tail: 'data: [DONE]\n\n', read: readChat },
  messages: { path: '/v1/messages', tail: 'message_stop"}\n\n', read: readMessages },
}

interface ChatChunk {
  choices?: { delta?: { content?: string | null }; finish_reason?: string | null }[]
  usage?: { completion_tokens?: number } | null
}

function readChat(body: string): HeardStream {
  const heard: HeardStream = { text: '', outputTokens: null, finish: null }
  for (const { name, data } of eventsIn(body)) {
    if (name !== null) throw new Error(`an event with a name: ${name}`)
    if (data === '[DONE]') break
    const { choices, usage }: ChatChunk = JSON.parse(data)
    heard.text += choices?.[0]?.delta?.content ?? ''
    heard.finish = choices?.[0]?.finish_reason ?? heard.finish
    heard.outputTokens = usage?.completion_tokens ?? heard.outputTokens
  }
  return heard
}

interface MessagesEvent {
  type: string
  delta?: { type?: string; text?: string; stop_reason?: string | null }
  usage?: { output_tokens?: number }
}

// A Messages client relies on the order of events, so a stream in another order is invalid.
const eventOrder =
  /^message_start (ping )*content_block_start ((content_block_delta|ping) )+content_block_stop message_delta message_stop $/

function readMessages(body: string): HeardStream {
  const heard: HeardStream = { text: '', outputTokens: null, finish: null }
  let order = ''
  for (const { name, data } of eventsIn(body)) {
    const { type, delta, usage }: MessagesEvent = JSON.parse(data)
    if (name !== type) throw new Error(`an event of type ${type} with the name ${name}`)
    order += `${type} `
    if (delta?.type === 'text_delta') heard.text += delta.text ?? ''
    heard.finish = delta?.stop_reason ?? heard.finish
    heard.outputTokens = usage?.output_tokens ?? heard.outputTokens
  }
  if (!eventOrder.test(order)) throw new Error(`a stream of events in the order ${order}`)
  return heard
}

function eventsIn(body: string): { name: string | null; data: string }[] {
  return body
    .split('\n\n')
    .map((frame) => frame.split('\n'))
    .map((lines) => ({ name: fieldIn(lines, 'event: '), data: fieldIn(lines, 'data: ') }))
    .flatMap(({ name, data }) => (data === null ? [] : [{ name, data }]))
}

function fieldIn(lines: readonly string[], start: string): string | null {
  return lines.find((line) => line.startsWith(start))?.slice(start.length) ?? null
}
