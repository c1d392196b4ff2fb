import { marker, type Mode } from './mock-answers.ts'

const bodyBytes = 1_024

export interface RequestShape {
  model: string
  /** One set of headers for each caller; the load takes them in turn. */
  callers: readonly Record<string, string>[]
}

/** The whole bytes of a request, one for each caller: a chat of 1 KB. */
export function makeRequests({ model, callers }: RequestShape, mode: Mode): Buffer[] {
  const body = makeBody(model, mode)
  return callers.map((headers) => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    return Buffer.from(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n${lines.join('')}` +
        `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
  })
}

function makeBody(model: string, mode: Mode): string {
  const write = (filling: string) =>
    JSON.stringify({
      model,
      messages: [
        { role: 'system', content: `${marker}${mode} You answer briefly and plainly.` },
        { role: 'user', content: `What is a weir, and what is it good for? ${filling}` },
      ],
      max_tokens: 256,
      temperature: 0.7,
      ...(mode === 'json' ? {} : { stream: true, stream_options: { include_usage: true } }),
    })
  const sentence = 'The river is wide here and slow in summer. '
  const missing = bodyBytes - write('').length
  return write(sentence.repeat(Math.ceil(missing / sentence.length)).slice(0, missing))
}
