import type { ConversationName } from '#test/matrix/axes.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { chooseReader } from '#pipeline/dispatch/answer/choose-reader.ts'
import { pairOf } from '#pipeline/dispatch/answer/pair.ts'
import type { ReaderContext } from '#pipeline/dispatch/answer/reader-context.ts'
import type { Answer, AnswerReader } from '#pipeline/types.ts'
import type { ConversationVendor } from '#providers/spec.ts'
import type { StepsScenario } from '#test/simulators/scenario.ts'
import type { Client, Heard } from './clients/client.ts'
import { dialects } from './dialects.ts'

/** A complete upstream response. */
export interface Recording {
  readonly vendor: ConversationVendor
  readonly contentType: string
  readonly bytes: Buffer
}

/** The outcome: the whole output to the client, and the charge. */
interface AnswerRead {
  readonly text: string
  readonly answer: Answer | null
}

/** Reads a response in these pieces for a client of this dialect, without a gateway. */
export function readAnswer(
  { vendor, contentType }: Recording,
  dialectName: ConversationName,
  options: { stream: boolean; pieces: readonly Buffer[] },
): AnswerRead {
  let text = ''
  let answer: Answer | null = null
  const pair = pairOf(dialects[dialectName], vendor)
  const { stream, pieces } = options
  const reader: AnswerReader = chooseReader(
    context,
    pair,
    { stream, contentType },
    {
      opened: () => {},
      bytes: (bytes) => {
        text += String(bytes)
      },
      unusable: ({ message }) => {
        text += reader.fail(new GatewayError('upstreamUnavailable', { message }))
      },
      done: (complete, close) => {
        answer = complete
        text += close(nanoUsd(1_000n))
      },
    },
  )
  for (const piece of pieces) reader.data(piece)
  reader.end()
  return { text, answer }
}

/** A client's view of a recorded stream. */
export function hearRecording(recording: Recording, client: Client): Heard {
  const { text } = readAnswer(recording, client.dialect, { stream: true, pieces: [recording.bytes] })
  return client.hear({ status: 200, headers: new Headers(), text, isStream: true })
}

/** The bytes of a scenario as a recording. */
export function recordingOf(vendor: ConversationVendor, { steps }: StepsScenario): Recording {
  const pieces = steps.flatMap((step) => {
    if (step.do === 'write') return [Buffer.from(step.text)]
    return step.do === 'bytes' ? [Buffer.from(step.base64, 'base64')] : []
  })
  const contentTypes = steps.flatMap((step) => (step.do === 'head' ? (step.headers['content-type'] ?? []) : []))
  return { vendor, contentType: contentTypes.join(''), bytes: Buffer.concat(pieces) }
}

const context: ReaderContext = {
  id: 'gen-1',
  createdS: 1_790_000_000,
  model: 'maker/model',
  requestBody: { include: ['reasoning.encrypted_content'] },
  excludeReasoning: false,
  frameBytesMax: 1_000_000,
  answerBytesMax: 1_000_000,
}
