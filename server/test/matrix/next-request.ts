import { assert } from '#lib/assert.ts'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import { pairOf, relayedBody } from '#pipeline/dispatch/answer/pair.ts'
import type { Target } from '#providers/protocol.ts'
import { relays } from '#providers/relay.ts'
import type { ConversationVendor } from '#providers/spec.ts'
import type { Client } from './clients/client.ts'
import { dialects } from './dialects.ts'
import { type Recording, readAnswer } from './read-answer.ts'

/** The next request to the upstream after a client has read a response and continues, with the tool results first. */
export function nextRequest(
  recording: Recording,
  client: Client,
  stream: boolean,
  { vendor = recording.vendor, upstreamModel = upstreamModels[vendor.protocol] ?? 'model' }: NextUpstream = {},
): JsonObject {
  const { text } = readAnswer(recording, client.dialect, { stream, pieces: [recording.bytes] })
  const heard = client.hear({ status: 200, headers: new Headers(), text, isStream: stream })
  const asked = { ...client.ask('text', []), model: 'maker/model', stream }
  const results = heard.calls.map((_, index) => `result ${index}`)
  const body = results.length > 0 ? client.answerTools(asked, heard, results) : client.goOn(asked, heard, 'Go on.')
  const dialect = dialects[client.dialect]
  const call = dialect.parse(body)
  const pair = pairOf(dialect, vendor)
  const target: Target = {
    vendor,
    baseUrl: vendor.baseUrl ?? 'https://upstream.example',
    credential: 'secret',
    upstreamModel,
    openAiFamily: false,
  }
  const request =
    pair.relays === null
      ? pair.protocol.buildRequest(dialect.toCanonical(call), target)
      : relays[pair.relays]({ ...call, body: relayedBody(pair, call.body) }, target)
  const sent = parseJsonObject(request.body)
  assert(sent !== undefined, 'a request is an object')
  return sent
}

/** The upstream that continues, if not the first one. */
interface NextUpstream {
  vendor?: ConversationVendor
  upstreamModel?: string
}

const upstreamModels: Readonly<Record<string, string>> = {
  openai: 'anthropic/claude-haiku-4.5',
  anthropic: 'claude-sonnet-4-6',
  gemini: 'gemini-3-pro',
  bedrock: 'anthropic.claude-sonnet-4-6-v1:0',
  responses: 'gpt-5.2',
}
