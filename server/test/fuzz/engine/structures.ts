import { crc32 } from 'node:zlib'
import { type Matter, mutateBytes } from './mutate-bytes.ts'
import { mutateJson } from './mutate-json.ts'

/** Changes an input within its format; undefined if it has another format. */
export type MutateStructure = (input: Buffer, matter: Matter) => Buffer | undefined

/** Events with JSON `data`: they are changed, removed, duplicated or moved. */
export function mutateEvents(input: Buffer, matter: Matter): Buffer | undefined {
  const text = input.toString('utf8')
  const events = text.split(/(?<=\n\r?\n)/)
  if (events.length === 1 && !text.includes('data:')) return undefined
  const { random } = matter
  const at = random.integer(0, events.length - 1)
  const event = events[at] ?? ''
  switch (random.integer(0, 7)) {
    case 0:
      events.splice(at, 1)
      break
    case 1:
      events.splice(random.integer(0, events.length), 0, event)
      break
    case 2:
      events.splice(at, 1)
      events.splice(random.integer(0, events.length), 0, event)
      break
    case 3:
      events.splice(at, 0, random.pick(otherEvents(matter)))
      break
    default:
      events[at] = changeEvent(event, matter)
  }
  return Buffer.from(events.join(''))
}

function otherEvents({ other }: Matter): string[] {
  return other()
    .toString('utf8')
    .split(/(?<=\n\r?\n)/)
}

function changeEvent(event: string, matter: Matter): string {
  const [, before = '', data = '', after = ''] = /^(.*?data: ?)([^\r\n]*)(.*)$/s.exec(event) ?? []
  const changed = mutateJson(Buffer.from(data), matter)
  return changed === undefined
    ? mutateBytes(Buffer.from(event), matter).toString('utf8')
    : `${before}${changed.toString('utf8')}${after}`
}

/** The parts of an AWS event stream frame. */
interface LooseFrame {
  readonly headers: Buffer
  readonly payload: Buffer
}

/** Frames of an AWS event stream: headers and payloads change, together with their checksums. */
export function mutateFrames(input: Buffer, matter: Matter): Buffer | undefined {
  const frames = readFrames(input)
  const { random } = matter
  if (frames.length === 0) return undefined
  const at = random.integer(0, frames.length - 1)
  const frame = frames[at] ?? { headers: Buffer.alloc(0), payload: Buffer.alloc(0) }
  switch (random.integer(0, 6)) {
    case 0:
      frames.splice(at, 1)
      break
    case 1:
      frames.splice(random.integer(0, frames.length), 0, frame)
      break
    case 2:
      frames[at] = { ...frame, headers: mutateBytes(frame.headers, { ...matter, bytesMax: 60_000 }) }
      break
    case 3:
      frames.splice(at, 0, ...readFrames(matter.other()).slice(0, 2))
      break
    default:
      frames[at] = { ...frame, payload: mutateJson(frame.payload, matter) ?? mutateBytes(frame.payload, matter) }
  }
  return Buffer.concat(frames.map(writeFrame))
}

function writeFrame({ headers, payload }: LooseFrame): Buffer {
  const prelude = Buffer.alloc(12)
  prelude.writeUInt32BE(16 + headers.length + payload.length, 0)
  prelude.writeUInt32BE(headers.length, 4)
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8)
  const unsigned = Buffer.concat([prelude, headers, payload])
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(unsigned))
  return Buffer.concat([unsigned, checksum])
}

/** Checksums are not verified: a frame with a wrong one may get a right one. */
function readFrames(input: Buffer): LooseFrame[] {
  const frames: LooseFrame[] = []
  for (let at = 0; at + 16 <= input.length; ) {
    const total = input.readUInt32BE(at)
    const headersEnd = at + 12 + input.readUInt32BE(at + 4)
    if (total < 16 || at + total > input.length || headersEnd > at + total - 4) break
    frames.push({ headers: input.subarray(at + 12, headersEnd), payload: input.subarray(headersEnd, at + total - 4) })
    at += total
  }
  return frames
}
