import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4, isIPv6 } from 'node:net'

/** A DNS server on loopback under the attacker's control. */
export interface HostileDns {
  readonly address: string
  /** The number of questions, by the letters of the name up to the first hyphen. */
  readonly asked: ReadonlyMap<string, number>
  close(): Promise<void>
}

/**
 * Returns the addresses of a name. It rejects for a name that does not exist, and never settles for a name that hangs.
 */
export type ResolveName = (name: string) => Promise<readonly string[]>

const types = { a: 1, aaaa: 28 } as const
const noSuchName = 3
const headBytes = 12

export async function startHostileDns(resolve: ResolveName): Promise<HostileDns> {
  const asked = new Map<string, number>()
  const socket = createSocket('udp4')
  socket.on('error', () => {})
  socket.on('message', (query, { port, address }) => {
    const question = readQuestion(query)
    const kind = question.name.split('-')[0] ?? ''
    asked.set(kind, (asked.get(kind) ?? 0) + 1)
    const answer = (addresses: readonly string[], code: number): void =>
      socket.send(encodeAnswer(query, question, addresses, code), port, address)
    resolve(question.name).then(
      (addresses) => answer(addresses, 0),
      () => answer([], noSuchName),
    )
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}

interface Question {
  readonly name: string
  readonly type: number
  /** The offset of the question's end. */
  readonly end: number
}

function readQuestion(query: Buffer): Question {
  const labels: string[] = []
  let at = headBytes
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function encodeAnswer(query: Buffer, { type, end }: Question, addresses: readonly string[], code: number): Buffer {
  const wanted = addresses.filter((address) =>
    type === types.a ? isIPv4(address) : type === types.aaaa && isIPv6(address),
  )
  const head = Buffer.from(query.subarray(0, headBytes))
  head.writeUInt16BE(0x8180 | code, 2)
  head.writeUInt16BE(wanted.length, 6)
  head.writeUInt32BE(0, 8)
  const records = wanted.map((address) => {
    const data = encodeAddress(address)
    // The answer repeats the name of the question; a TTL of zero lets the next answer differ.
    const fixed = Buffer.from([0xc0, headBytes, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length])
    return Buffer.concat([fixed, data])
  })
  return Buffer.concat([head, query.subarray(headBytes, end), ...records])
}

function encodeAddress(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  const [before = '', after] = withoutDots(address).split('::')
  const [head, tail] = [groupsOf(before), groupsOf(after ?? '')]
  const zeros = Array<string>(after === undefined ? 0 : 8 - head.length - tail.length).fill('0')
  return Buffer.from(
    [...head, ...zeros, ...tail].flatMap((group) => {
      const value = Number.parseInt(group, 16)
      return [value >> 8, value & 255]
    }),
  )
}

function groupsOf(text: string): string[] {
  return text.split(':').filter((group) => group !== '')
}

/** `::ffff:127.0.0.1` as `::ffff:7f00:1`. */
function withoutDots(address: string): string {
  return address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...octets: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = octets.slice(0, 4).map(Number)
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
}
