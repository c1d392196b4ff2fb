import { createSseSplitter } from '#lib/sse-splitter.ts'
import type { PartReader } from '#providers/protocol.ts'
import { createFrameSplitter } from '#providers/protocols/bedrock/frame-splitter.ts'
import { createJsonArraySplitter } from '#providers/protocols/gemini/json-array-splitter.ts'
import { protocolOf } from '#providers/protocols.ts'
import { openAiVendors, vendors } from '#providers/registry.ts'
import type { StreamPart } from '#domain/inference/stream-part.ts'
import { joinStreamParts } from '#domain/inference/join-stream-parts.ts'
import type { ConversationVendor } from '#providers/spec.ts'
import { crc32 } from 'node:zlib'
import { cutBytes } from '../engine/cut-bytes.ts'
import { ensure, ensureSame } from '../engine/expect.ts'
import { type MutateStructure, mutateEvents, mutateFrames } from '../engine/structures.ts'
import type { FuzzTarget } from '../target.ts'

const eventBytesMax = 65_536

export const streamTargets: readonly FuzzTarget[] = [
  {
    name: 'sse-splitter',
    runs: 40_000,
    mutate: mutateEvents,
    bytesMax: 262_144,
    words: ['data: ', 'data:\n', '\n\n', '\r\n\r\n', ': comment\n', '\ufeff', 'event: x\n'],
    run: (input) => sameHoweverCut(input, splitEvents),
  },
  {
    name: 'bedrock-frames',
    runs: 40_000,
    corpus: 'stream-bedrock',
    mutate: mutateFrames,
    bytesMax: 262_144,
    run: (input) => sameHoweverCut(input, splitFrames),
  },
  {
    name: 'gemini-array',
    runs: 40_000,
    bytesMax: 262_144,
    run: (input) => sameHoweverCut(input, splitArray),
  },
  stream('openai', mutateEvents, (input) => openAiVendors[crc32(input) % openAiVendors.length] ?? vendors.openai),
  stream('anthropic', mutateEvents, () => vendors.anthropic),
  stream('gemini', mutateEvents, () => vendors['google-ai-studio']),
  stream('bedrock', mutateFrames, () => vendors['amazon-bedrock']),
]

/** The stream reader of a protocol: it must never throw, and nothing follows a failure. */
function stream(
  protocol: string,
  mutate: MutateStructure,
  vendorFor: (input: Buffer) => ConversationVendor,
): FuzzTarget {
  return {
    name: `stream-${protocol}`,
    runs: 15_000,
    mutate,
    run: (input) => {
      const vendor = vendorFor(input)
      const create = (): PartReader => protocolOf(vendor).createStreamReader(vendor)
      const parts = readParts(create(), [input])
      const failed = parts.findIndex(({ kind }) => kind === 'failed')
      ensure(failed === -1 || failed === parts.length - 1, 'nothing follows a failure')
      joinStreamParts(parts)
      ensureSame(readParts(create(), cutBytes(input)), parts, 'cuts change nothing')
    },
  }
}

function readParts(reader: PartReader, pieces: readonly Buffer[]): StreamPart[] {
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()]
}

function sameHoweverCut(input: Buffer, split: (pieces: readonly Buffer[]) => string[]): void {
  const whole = split([input])
  const bytes = whole.reduce((sum, piece) => sum + piece.length, 0)
  ensure(bytes <= input.length + 64 * whole.length, 'no more comes out than went in')
  // The size of an event is checked at the end of a piece, so large inputs may differ.
  if (input.length > eventBytesMax) return
  ensureSame(split(cutBytes(input)), whole, 'cuts change nothing')
}

function splitEvents(pieces: readonly Buffer[]): string[] {
  const events: string[] = []
  const splitter = createSseSplitter({
    onEvent: (payload) => events.push(payload.toString('latin1')),
    eventBytesMax,
    onOversize: () => events.push('too large'),
  })
  for (const piece of pieces) splitter.push(piece)
  splitter.end()
  return events
}

function splitFrames(pieces: readonly Buffer[]): string[] {
  const frames: string[] = []
  const splitter = createFrameSplitter({
    onFrame: ({ headers, payload }) => {
      frames.push(...headers.keys(), payload.toString('latin1'))
    },
    onBroken: (reason) => frames.push(`broken: ${reason}`),
  })
  for (const piece of pieces) splitter.push(piece)
  return frames
}

function splitArray(pieces: readonly Buffer[]): string[] {
  const objects: string[] = []
  const splitter = createJsonArraySplitter({
    onObject: (object) => objects.push(object.toString('latin1')),
    objectBytesMax: eventBytesMax,
    onOversize: () => objects.push('too large'),
  })
  for (const piece of pieces) splitter.push(piece)
  return objects
}
