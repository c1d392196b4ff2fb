import type { NanoUsd } from '#domain/money/nano-usd.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { assert } from '#lib/assert.ts'
import { ChatStreamReader } from '#pipeline/dispatch/answer/chat-stream-reader.ts'
import type { ReaderContext } from '#pipeline/dispatch/answer/reader-context.ts'
import type { Answer, AnswerListener, AnswerReader } from '#pipeline/types.ts'
import { findVendor } from '#providers/registry.ts'
import type { OpenAiQuirks } from '#providers/spec.ts'
import type { StepsScenario } from '#test/simulators/scenario.ts'
import type { VendorName } from '#test/simulators/vendors/vendor-style.ts'

/** A reader's result for a recorded response. */
interface ReadAnswer {
  /** Everything sent to the client. The last chunk reports a cost of one nano-dollar. */
  text: string
  answer: Answer | null
  failure: { kind: string; message: string } | null
  /** The output when the response was known to be valid. */
  textAtOpening: string | null
  reader: AnswerReader
}

export const recordedContext: ReaderContext = {
  id: 'gen-1',
  createdS: 1_800_000_000,
  model: 'maker/model',
  requestBody: {},
  excludeReasoning: false,
  frameBytesMax: 1_000_000,
  answerBytesMax: 1_000_000,
}

const cost: NanoUsd = nanoUsd(1n)

/** Feeds the pieces to a stream reader like an upstream's connection. */
export function readRecorded(
  pieces: readonly Buffer[],
  quirks: OpenAiQuirks,
  context: ReaderContext = recordedContext,
): ReadAnswer {
  const sent: string[] = []
  let answer: Answer | null = null
  let failure: ReadAnswer['failure'] = null
  let textAtOpening: string | null = null
  const listener: AnswerListener = {
    opened: () => {
      assert(textAtOpening === null, 'an answer opens once')
      textAtOpening = sent.join('')
    },
    bytes: (bytes) => sent.push(bytes.toString('utf8')),
    unusable: (found) => {
      assert(answer === null && failure === null, 'an answer ends once')
      failure = found
    },
    done: (found, close) => {
      assert(answer === null && failure === null, 'an answer ends once')
      answer = found
      sent.push(String(close(cost)))
    },
  }
  const reader = new ChatStreamReader(context, quirks, listener)
  for (const piece of pieces) reader.data(piece)
  reader.end()
  return { text: sent.join(''), answer, failure, textAtOpening, reader }
}

/** The registered vendor that a simulated style imitates. */
export function slugOf(name: VendorName): string {
  const slugs: Partial<Record<VendorName, string>> = { dashscope: 'alibaba', moonshot: 'moonshotai', generic: 'nebius' }
  return slugs[name] ?? name
}

export function quirksOf(name: VendorName): OpenAiQuirks {
  const vendor = findVendor(slugOf(name))
  assert(vendor?.protocol === 'openai', `${name} speaks chat completions`)
  return vendor.openai
}

export function bytesOf({ steps }: StepsScenario): Buffer {
  return Buffer.from(steps.map((step) => (step.do === 'write' ? step.text : '')).join(''))
}
