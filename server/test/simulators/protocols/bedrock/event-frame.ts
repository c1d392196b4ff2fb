import { crc32 } from 'node:zlib'

/** One frame of an AWS event stream, as the service sends it. */
export function eventFrame(headers: Readonly<Record<string, string>>, payload: string): Buffer {
  const headerBytes = Buffer.concat(Object.entries(headers).map(([name, value]) => textHeader(name, value)))
  const payloadBytes = Buffer.from(payload)
  const lengths = Buffer.alloc(8)
  lengths.writeUInt32BE(headerBytes.length + payloadBytes.length + 16, 0)
  lengths.writeUInt32BE(headerBytes.length, 4)
  const head = Buffer.concat([lengths, checksum(lengths), headerBytes, payloadBytes])
  return Buffer.concat([head, checksum(head)])
}

export function eventOf(type: string, payload: object): Buffer {
  return eventFrame(
    { ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' },
    JSON.stringify(payload),
  )
}

export function exceptionOf(type: string, payload: object): Buffer {
  return eventFrame(
    { ':exception-type': type, ':content-type': 'application/json', ':message-type': 'exception' },
    JSON.stringify(payload),
  )
}

function textHeader(name: string, value: string): Buffer {
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(bytes.length)
  return Buffer.concat([Buffer.of(name.length), Buffer.from(name), Buffer.of(7), length, bytes])
}

function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(bytes))
  return sum
}
