import type { Gzip, BrotliCompress } from 'node:zlib'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { Step, StepsScenario } from './scenario.ts'
import type { Wire } from './wire.ts'

/** The steps of the player: text and base64 have become bytes. */
export type ShapedStep = Exclude<Step, { do: 'write' } | { do: 'bytes' }> | { do: 'body'; bytes: Buffer }

/** Applies a scenario's wire options to its steps. */
export async function shapeSteps({ steps, wire }: StepsScenario): Promise<ShapedStep[]> {
  if (wire === undefined) return steps.map(toBytes)
  const shaped = shapeText(steps, wire).map(toBytes)
  const encoded = wire.encoding === undefined ? shaped : await encode(shaped, wire.encoding)
  if (wire.split === undefined || wire.split === 'none') return encoded
  if (wire.split === 'every-byte') return cutEveryByte(encoded)
  return cutAt(encoded, wire.split.at)
}

function toBytes(step: Step): ShapedStep {
  if (step.do === 'write') return { do: 'body', bytes: Buffer.from(step.text, 'utf8') }
  if (step.do === 'bytes') return { do: 'body', bytes: Buffer.from(step.base64, 'base64') }
  return step
}

function shapeText(steps: Step[], wire: Wire): Step[] {
  const first = steps.findIndex((step) => step.do === 'write')
  const last = steps.findLastIndex((step) => step.do === 'write')
  return steps.map((step, position) => {
    if (step.do !== 'write') return step
    let text = step.text
    if (wire.comments !== undefined) text = `${wire.comments}\n\n${text}`
    if (wire.crlf === true) text = text.replaceAll('\n', '\r\n')
    if (wire.missingFinalNewline === true && position === last) text = text.replace(/[\r\n]+$/, '')
    if (wire.bom === true && position === first) text = `\uFEFF${text}`
    return { do: 'write', text }
  })
}

async function encode(steps: ShapedStep[], encoding: 'gzip' | 'br'): Promise<ShapedStep[]> {
  const compressor = encoding === 'gzip' ? createGzip() : createBrotliCompress()
  const flushKind = encoding === 'gzip' ? constants.Z_SYNC_FLUSH : constants.BROTLI_OPERATION_FLUSH
  const encoded: ShapedStep[] = []
  for (const step of steps) {
    if (step.do === 'head') {
      encoded.push({ ...step, headers: { ...step.headers, 'content-encoding': encoding } })
    } else if (step.do === 'body') {
      compressor.write(step.bytes)
      await new Promise<void>((resolve) => compressor.flush(flushKind, resolve))
      encoded.push({ do: 'body', bytes: drain(compressor) })
    } else if (step.do === 'end') {
      // The trailer only belongs to a normal end: a reset or a close also leaves the compressed body unfinished.
      const rest = new Promise<void>((resolve) => compressor.once('readable', () => resolve()))
      compressor.end()
      await rest
      encoded.push({ do: 'body', bytes: drain(compressor) }, step)
    } else {
      encoded.push(step)
    }
  }
  return encoded
}

function drain(compressor: Gzip | BrotliCompress): Buffer {
  const parts: Buffer[] = []
  for (let part: unknown = compressor.read(); part !== null; part = compressor.read()) {
    if (Buffer.isBuffer(part)) parts.push(part)
  }
  return Buffer.concat(parts)
}

function cutEveryByte(steps: ShapedStep[]): ShapedStep[] {
  return steps.flatMap((step) =>
    step.do === 'body'
      ? Array.from(step.bytes, (_, at): ShapedStep => ({ do: 'body', bytes: step.bytes.subarray(at, at + 1) }))
      : [step],
  )
}

function cutAt(steps: ShapedStep[], at: number[]): ShapedStep[] {
  const cuts = at.toSorted((left, right) => left - right)
  const cut: ShapedStep[] = []
  let joined: Buffer[] = []
  let offset = 0
  const flush = () => {
    const bytes = Buffer.concat(joined)
    joined = []
    if (bytes.length === 0) return
    const inside = cuts
      .map((position) => position - offset)
      .filter((position) => position > 0 && position < bytes.length)
    const edges = [0, ...inside, bytes.length]
    for (const [index, edge] of edges.slice(1).entries()) {
      cut.push({ do: 'body', bytes: bytes.subarray(edges[index], edge) })
    }
    offset += bytes.length
  }
  for (const step of steps) {
    if (step.do === 'body') {
      joined.push(step.bytes)
    } else {
      flush()
      cut.push(step)
    }
  }
  flush()
  return cut
}
