import { connect } from 'node:net'

/** One response as a bare socket saw it. */
export interface RawAnswer {
  status: number
  headers: Map<string, string>
  body: string
}

interface RawExchange {
  answers: RawAnswer[]
  /** All received bytes, for data that is not a response. */
  text: string
}

const quietMs = 400

/**
 * Sends bytes verbatim and reads the response until the peer closes or has been quiet for a while after its first byte:
 * an attack may leave the connection open, and no event says that nothing more will come.
 */
export function exchangeRaw(url: string, bytes: string | Buffer, patienceMs = 5_000): Promise<RawExchange> {
  const { port, hostname } = new URL(url)
  const { promise, resolve } = Promise.withResolvers<RawExchange>()
  const socket = connect(Number(port), hostname)
  const parts: Buffer[] = []
  const finish = (): void => {
    clearTimeout(timer)
    socket.destroy()
    const text = Buffer.concat(parts).toString('latin1')
    resolve({ answers: parseAnswers(text), text })
  }
  let timer = setTimeout(finish, patienceMs)
  socket.on('data', (part) => {
    parts.push(Buffer.from(part))
    clearTimeout(timer)
    timer = setTimeout(finish, quietMs)
  })
  socket.on('error', finish)
  socket.on('close', finish)
  socket.write(bytes)
  return promise
}

function parseAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = []
  let rest = text
  for (;;) {
    const headEnd = rest.indexOf('\r\n\r\n')
    const status = /^HTTP\/1\.1 (\d{3})/.exec(rest)?.[1]
    if (headEnd === -1 || status === undefined) return answers
    const [, ...lines] = rest.slice(0, headEnd).split('\r\n')
    const headers = new Map(lines.map((line) => headerOf(line)))
    const length = Number(headers.get('content-length') ?? rest.length)
    const body = rest.slice(headEnd + 4, headEnd + 4 + length)
    answers.push({ status: Number(status), headers, body })
    rest = rest.slice(headEnd + 4 + length)
  }
}

function headerOf(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}
