import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'

/** A DNS server on loopback, over UDP, with scripted answers. */
export interface DnsServer {
  /** Its address and port in a resolver's format. */
  readonly address: string
  /** Every received question, such as `a.example A`. */
  readonly questions: readonly string[]
  close(): Promise<void>
}

type DnsRecord =
  | { readonly type: 'A' | 'AAAA'; readonly data: string; readonly ttl?: number }
  | { readonly type: 'TXT'; readonly data: string; readonly ttl?: number }
  | { readonly type: 'CNAME'; readonly data: string; readonly ttl?: number }

/** The answer: records, a missing name or record type, a failure, or silence. A promise answers late. */
export type DnsReply = readonly DnsRecord[] | 'missing' | 'failed' | 'silent'
export type AnswerDns = (name: string, type: string) => DnsReply | Promise<DnsReply>

const types = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 } as const
const codes = { missing: 3, failed: 2 } as const

export async function startDnsServer(answer: AnswerDns): Promise<DnsServer> {
  const questions: string[] = []
  const socket = createSocket('udp4')
  let sending: Promise<unknown> = Promise.resolve()
  let isOpen = true
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query)
    questions.push(`${name} ${type}`)
    void Promise.resolve(answer(name, type)).then((reply) => {
      if (reply === 'silent') return
      // One per turn of the event loop, so that a burst of answers does not overflow the client's socket.
      sending = sending.then(() => setImmediate()).then(() => isOpen && send(socket, from, query, end, reply))
    })
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    close: async () => {
      isOpen = false
      socket.close()
      await once(socket, 'close')
    },
  }
}

function readQuestion(query: Buffer): { name: string; type: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const code = query.readUInt16BE(at + 1)
  const type = Object.entries(types).find(([, each]) => each === code)?.[0] ?? String(code)
  return { name: labels.join('.').toLowerCase(), type, end: at + 5 }
}

const encoders = { A: encodeAddress, AAAA: encodeAddress, CNAME: encodeName, TXT: encodeText } as const

function send(socket: Socket, to: RemoteInfo, query: Buffer, end: number, reply: Exclude<DnsReply, 'silent'>): void {
  const records = typeof reply === 'string' ? [] : reply
  const head = Buffer.from(query.subarray(0, 12))
  head.writeUInt16BE(0x8180 | (typeof reply === 'string' ? codes[reply] : 0), 2)
  head.writeUInt16BE(records.length, 6)
  head.writeUInt32BE(0, 8)
  // Every record after a CNAME belongs to the name that it points to.
  let owner = query.subarray(12, end - 4)
  const parts = [head, query.subarray(12, end)]
  for (const record of records) {
    const data = encoders[record.type](record.data)
    const middle = Buffer.alloc(10)
    middle.writeUInt16BE(types[record.type], 0)
    middle.writeUInt16BE(1, 2)
    middle.writeUInt32BE(record.ttl ?? 60, 4)
    middle.writeUInt16BE(data.length, 8)
    parts.push(owner, middle, data)
    if (record.type === 'CNAME') owner = data
  }
  socket.send(Buffer.concat(parts), to.port, to.address)
}

/** In parts of 255 bytes, the longest that a TXT record can hold. */
function encodeText(text: string): Buffer {
  const parts = text.match(/.{1,255}/g) ?? ['']
  return Buffer.concat(parts.flatMap((part) => [Buffer.from([part.length]), Buffer.from(part)]))
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]))
  return Buffer.concat([...labels, Buffer.from([0])])
}

/** IPv6 in its full form with eight groups. */
function encodeAddress(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number))
  const groups = address.split(':').map((group) => Number.parseInt(group, 16))
  return Buffer.from(groups.flatMap((group) => [group >> 8, group & 255]))
}
