import { describe, expect, it } from 'vitest'
import { vendors } from '#providers/registry.ts'
import { clients } from './clients/clients.ts'
import { callPieces } from './features.ts'
import { nextRequest } from './next-request.ts'
import { recordingOf } from './read-answer.ts'
import { openAiOnResponses } from './responses-host.ts'
import { upstreams } from './upstreams/upstreams.ts'

const vendorOf = {
  openai: vendors.openrouter,
  anthropic: vendors.anthropic,
  gemini: vendors['google-ai-studio'],
  bedrock: vendors['amazon-bedrock'],
  responses: openAiOnResponses,
} as const

const moves = upstreams.flatMap((from) =>
  upstreams
    .filter((to) => to !== from)
    .flatMap((to) => clients.map((client) => ({ from, to, client, name: `${from.protocol} to ${to.protocol}` }))),
)

/** The vendor of the thinking: Claude reads its own thinking at every upstream. */
function makerOf(protocol: string): 'claude' | 'gemini' | 'gpt' {
  if (protocol === 'responses') return 'gpt'
  return protocol === 'gemini' ? 'gemini' : 'claude'
}

describe('a conversation that moves to another upstream between two turns', () => {
  it.each(moves)('[P16] [P17] keeps its calls and results, from $name ($client.dialect)', ({ from, to, client }) => {
    for (const stream of [false, true]) {
      const recording = recordingOf(vendorOf[from.protocol], from.playThoughtAndCalls(stream))
      const body = nextRequest(recording, client, stream, { vendor: vendorOf[to.protocol] })
      const { inputs, results, callIds, signatures } = to.replayIn(body)
      expect(inputs).toEqual(callPieces.map(({ input }) => input))
      expect(results.map(({ text }) => text)).toEqual(['result 0', 'result 1'])
      // Gemini only knows its own ids; elsewhere every result names its call.
      const named = results.flatMap(({ callId }) => (callId === undefined ? [] : [callId]))
      expect(named).toEqual(callIds)
      expect(named).toHaveLength(to.protocol === 'gemini' ? 0 : 2)
      expect(JSON.stringify(body)).not.toContain('weir')
      const isReadable = makerOf(from.protocol) === makerOf(to.protocol)
      const isRelayed = client.dialect === 'chat' && to.protocol === 'openai'
      if (isReadable) expect(signatures).toEqual(from.thoughtAndCalls.signatures)
      else if (!isRelayed)
        for (const lost of from.thoughtAndCalls.signatures) expect(JSON.stringify(body)).not.toContain(lost)
    }
  })
})
