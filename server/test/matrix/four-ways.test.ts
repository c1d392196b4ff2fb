import { describe, expect, it } from 'vitest'
import { vendors } from '#providers/registry.ts'
import { anthropicAnswers } from '#test/simulators/protocols/anthropic/anthropic-answers.ts'
import { anthropicDocument } from '#test/simulators/protocols/anthropic/anthropic-document.ts'
import { anthropicStream } from '#test/simulators/protocols/anthropic/anthropic-stream.ts'
import { bedrockAnswers } from '#test/simulators/protocols/bedrock/bedrock-answers.ts'
import { bedrockDocument } from '#test/simulators/protocols/bedrock/bedrock-document.ts'
import { bedrockStream } from '#test/simulators/protocols/bedrock/bedrock-stream.ts'
import { responsesAnswers } from '#test/simulators/protocols/responses/responses-answers.ts'
import { responsesDocument } from '#test/simulators/protocols/responses/responses-document.ts'
import { responsesStream } from '#test/simulators/protocols/responses/responses-stream.ts'
import type { Client, Heard } from './clients/client.ts'
import { clients } from './clients/clients.ts'
import { features } from './features.ts'
import { type Recording, readAnswer, recordingOf } from './read-answer.ts'
import { openAiOnResponses, xaiOnResponses } from './responses-host.ts'
import { upstreams } from './upstreams/upstreams.ts'

interface Pair {
  name: string
  streamed: Recording
  whole: Recording
}

const vendorOf = {
  openai: vendors.openrouter,
  anthropic: vendors.anthropic,
  gemini: vendors['google-ai-studio'],
  bedrock: vendors['amazon-bedrock'],
  responses: openAiOnResponses,
} as const

const pairs: readonly Pair[] = [
  ...upstreams.flatMap((upstream) =>
    features
      .filter((feature) => feature !== 'mid-stream error')
      .map((feature) => ({
        name: `${upstream.protocol}: ${feature}`,
        streamed: recordingOf(vendorOf[upstream.protocol], upstream.play(feature, true)),
        whole: recordingOf(vendorOf[upstream.protocol], upstream.play(feature, false)),
      })),
  ),
  ...Object.entries(anthropicAnswers).map(([name, answer]) => ({
    name: `anthropic: ${name}`,
    streamed: recordingOf(vendors.anthropic, anthropicStream(answer)),
    whole: recordingOf(vendors.anthropic, anthropicDocument(answer)),
  })),
  ...Object.entries(bedrockAnswers).map(([name, answer]) => ({
    name: `bedrock: ${name}`,
    streamed: recordingOf(vendors['amazon-bedrock'], bedrockStream(answer)),
    whole: recordingOf(vendors['amazon-bedrock'], bedrockDocument(answer)),
  })),
  ...Object.entries(responsesAnswers).flatMap(([name, answer]) =>
    [openAiOnResponses, xaiOnResponses].map((vendor) => ({
      name: `responses of ${vendor.slug}: ${name}`,
      streamed: recordingOf(vendor, responsesStream(answer)),
      whole: recordingOf(vendor, responsesDocument(answer)),
    })),
  ),
]

function hear(recording: Recording, client: Client, stream: boolean): Omit<Heard, 'history'> & { charged: unknown } {
  const { text, answer } = readAnswer(recording, client.dialect, { stream, pieces: [recording.bytes] })
  const { history: _, ...heard } = client.hear({ status: 200, headers: new Headers(), text, isStream: stream })
  // Messages has no field for refusal text: it can come with the stop reason or as normal text. The comparison
  // therefore ignores the text of a refusal.
  return { ...heard, text: heard.refusal === '' ? heard.text : '', charged: answer?.usage }
}

describe('an answer, whether it is asked for or sent as a stream or not', () => {
  it.each(pairs)('[P9] [P7] says and costs the same: $name', ({ streamed, whole }) => {
    for (const client of clients) {
      const usual = hear(whole, client, false)
      expect(hear(streamed, client, true), `${client.dialect}: stream, as a stream`).toEqual(usual)
      expect(hear(whole, client, true), `${client.dialect}: document, as a stream`).toEqual(usual)
      expect(hear(streamed, client, false), `${client.dialect}: stream, as a document`).toEqual(usual)
    }
  })
})
