import { marker, type Mode } from './mock-answers.ts'
import { type BenchDialect, streamForms } from './stream-forms.ts'

const bodyBytes = 1_024

export interface RequestShape {
  model: string
  /** The default is chat. */
  dialect?: BenchDialect
  /** Whether the requests ask for the response cache. */
  cached?: boolean
  /** One set of headers per client; the load uses them in turn. */
  callers: readonly Record<string, string>[]
}

/** The complete bytes of a request, one per client: a conversation of 1 KB. */
export function makeRequests({ model, dialect = 'chat', cached, callers }: RequestShape, mode: Mode): Buffer[] {
  const wish = cached === true ? { cache: true } : {}
  const body = makeBody((filling) => ({ ...bodyWriters[dialect](model, mode, filling), ...wish }))
  return callers.map((headers) => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    return Buffer.from(
      `POST ${streamForms[dialect].path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n${lines.join('')}` +
        `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
  })
}

function makeBody(write: (filling: string) => object): string {
  const missing = bodyBytes - JSON.stringify(write('')).length
  const sentence = 'The river is wide here and slow in summer. '
  return JSON.stringify(write(sentence.repeat(Math.ceil(missing / sentence.length)).slice(0, missing)))
}

const bodyWriters: Record<BenchDialect, (model: string, mode: Mode, filling: string) => object> = {
  chat: (model, mode, filling) => ({
    model,
    messages: [{ role: 'system', content: instruction(mode) }, question(filling)],
    max_tokens: tokensMax(mode),
    temperature: 0.7,
    ...(mode === 'json' ? {} : { stream: true, stream_options: { include_usage: true } }),
  }),
  messages: (model, mode, filling) => ({
    model,
    system: instruction(mode),
    messages: [question(filling)],
    max_tokens: tokensMax(mode),
    temperature: 0.7,
    ...(mode === 'json' ? {} : { stream: true }),
  }),
}

// No response has more tokens than its request allows, or a gateway would doubt it.
function tokensMax(mode: Mode): number {
  return mode === 'long' ? 2_048 : 256
}

function instruction(mode: Mode): string {
  return `${marker}${mode} You answer briefly and plainly.`
}

function question(filling: string): object {
  return { role: 'user', content: `What is a weir, and what is it good for? ${filling}` }
}
