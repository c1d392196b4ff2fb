import { Agent, request as httpRequest } from 'node:http'

/** A completely read response. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

interface SendOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer | undefined
  /** The source address of the request: any address of 127.0.0.0/8 belongs to this machine. */
  readonly localAddress?: string
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })
// Only for exchanges that would never end.
const hangMs = 120_000

/** Sends one request. A broken exchange has the status 0 and the reason as its text. */
export function send(
  url: string,
  { method = 'GET', headers = {}, body, localAddress }: SendOptions = {},
): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const fail = (error: Error): void => resolve({ status: 0, headers: {}, text: error.message })
  const sent = httpRequest(url, {
    method,
    agent: localAddress === undefined ? agent : false,
    headers: body === undefined ? headers : { 'content-length': String(Buffer.byteLength(body)), ...headers },
    timeout: hangMs,
    ...(localAddress === undefined ? {} : { localAddress }),
  })
  sent.on('timeout', () => sent.destroy(new Error(`no answer in ${hangMs} ms`)))
  sent.on('error', fail)
  sent.on('response', (response) => {
    const parts: Buffer[] = []
    response.on('data', (part: Buffer) => parts.push(part))
    response.on('error', fail)
    response.on('end', () => {
      const { statusCode = 0, headers: answered } = response
      resolve({ status: statusCode, headers: answered, text: Buffer.concat(parts).toString('utf8') })
    })
  })
  sent.end(body)
  return promise
}

/** Sends a JSON body if there is one. */
export function sendJson(
  url: string,
  { body, headers, ...options }: Omit<SendOptions, 'body'> & { readonly body?: unknown },
): Promise<Answer> {
  if (body === undefined) return send(url, { ...options, headers: headers ?? {} })
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return send(url, { ...options, headers: { 'content-type': 'application/json', ...headers }, body: text })
}

/** The request as a curl command with a shortened body. */
export function asCurl(
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Readonly<Record<string, string>>; body?: unknown },
): string {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const words = ['curl', '-i', '-X', method, quoted(url)]
  for (const [name, value] of Object.entries(headers)) words.push('-H', quoted(`${name}: ${value}`))
  if (text !== undefined)
    words.push('-d', quoted(text.length > 400 ? `${text.slice(0, 400)}… (${text.length} characters)` : text))
  return words.join(' ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
