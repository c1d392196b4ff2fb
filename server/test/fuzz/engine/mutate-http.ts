import { type Matter, mutateBytes } from './mutate-bytes.ts'
import { mutateJson } from './mutate-json.ts'

/** Changes the body of a request with its stated length, or its path or headers; undefined if it is not a request. */
export function mutateHttp(input: Buffer, matter: Matter): Buffer | undefined {
  const end = input.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const { random } = matter
  const lines = input.toString('latin1', 0, end).split('\r\n')
  const body = input.subarray(end + 4)
  if (body.length > 0 && random.chance(0.6)) return join(lines, mutateBody(body, matter))
  const at = random.chance(0.4) ? 0 : random.integer(0, lines.length - 1)
  const line = lines[at] ?? ''
  switch (random.integer(0, 4)) {
    case 0:
      lines.splice(at === 0 ? 1 : at, 1)
      break
    case 1:
      lines.splice(random.integer(1, lines.length), 0, line)
      break
    case 2:
      lines.splice(1, 0, random.pick(headersOf(matter.other())))
      break
    case 3:
      lines[at] = changePath(line, matter)
      break
    default:
      lines[at] = mutateBytes(Buffer.from(line, 'latin1'), matter).toString('latin1')
  }
  return join(lines, body)
}

function mutateBody(body: Buffer, matter: Matter): Buffer {
  return mutateJson(body, matter) ?? mutateBytes(body, matter)
}

/** Mostly with the right length; a request without one stays so. */
function join(lines: readonly string[], body: Buffer): Buffer {
  const head = lines.map((line) => (/^content-length: \d+$/i.test(line) ? `content-length: ${body.length}` : line))
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body])
}

function headersOf(request: Buffer): string[] {
  const [, ...headers] = request.toString('latin1').split('\r\n\r\n')[0]?.split('\r\n') ?? []
  return ['x: y', ...headers]
}

function changePath(line: string, { random, word }: Matter): string {
  const parts = line.split(/(?<=[/?&= ])/)
  const at = random.integer(0, parts.length - 1)
  parts[at] = `${encodeURIComponent(word().toWellFormed())}${/[/?&= ]$/.exec(parts[at] ?? '')?.[0] ?? ''}`
  return parts.join('')
}
