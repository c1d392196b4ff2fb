import { goldenStreams } from '#providers/protocols/gemini/fixtures/golden-streams.ts'
import { vendorFixtures } from '#providers/protocols/openai/fixtures/vendor-fixtures.ts'
import { openAiVendors, vendors } from '#providers/registry.ts'
import { anthropicAnswers } from '#test/simulators/protocols/anthropic/anthropic-answers.ts'
import { anthropicStream } from '#test/simulators/protocols/anthropic/anthropic-stream.ts'
import { bedrockAnswers } from '#test/simulators/protocols/bedrock/bedrock-answers.ts'
import { bedrockStream } from '#test/simulators/protocols/bedrock/bedrock-stream.ts'
import { responsesAnswers } from '#test/simulators/protocols/responses/responses-answers.ts'
import { responsesStream } from '#test/simulators/protocols/responses/responses-stream.ts'
import { features } from './features.ts'
import { openAiOnResponses, xaiOnResponses } from './responses-host.ts'
import { type Recording, recordingOf } from './read-answer.ts'
import { upstreams } from './upstreams/upstreams.ts'
import type { Upstream } from './upstreams/upstream.ts'

interface RecordedStream extends Recording {
  readonly name: string
}

/** Streams of every protocol: those of the matrix, typical ones of vendors, and odd ones. */
export function recordedStreams(): RecordedStream[] {
  return [
    ...upstreams.flatMap(matrixStreams),
    ...openAiStreams(),
    ...anthropicStreams(),
    ...geminiStreams(),
    ...bedrockStreams(),
    ...responsesStreams(),
  ]
}

/** Thinking with a signature and two calls, once per protocol. */
export function richStreams(): RecordedStream[] {
  return upstreams.map((upstream) => ({
    name: `${upstream.protocol}: thought and calls`,
    ...recordingOf(thinkingVendorOf(upstream), upstream.playThoughtAndCalls(true)),
  }))
}

const vendorOfProtocol = {
  openai: vendors.openai,
  anthropic: vendors.anthropic,
  gemini: vendors['google-ai-studio'],
  bedrock: vendors['amazon-bedrock'],
  responses: openAiOnResponses,
} as const

function thinkingVendorOf({ protocol }: Upstream) {
  return protocol === 'openai' ? vendors.openrouter : vendorOfProtocol[protocol]
}

function matrixStreams(upstream: Upstream): RecordedStream[] {
  return features.map((feature) => {
    const vendor =
      feature === 'reasoning with signature' ? thinkingVendorOf(upstream) : vendorOfProtocol[upstream.protocol]
    return { name: `${upstream.protocol}: ${feature}`, ...recordingOf(vendor, upstream.play(feature, true)) }
  })
}

function openAiStreams(): RecordedStream[] {
  return openAiVendors.flatMap((vendor) => {
    const fixture = Object.entries(vendorFixtures).find(([slug]) => slug === vendor.slug)?.[1]
    if (fixture === undefined) return []
    const frames = fixture.chunks().map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
    const bytes = Buffer.from(`${frames.join('')}data: [DONE]\n\n`)
    return [{ name: `openai: ${vendor.slug}`, vendor, contentType: 'text/event-stream', bytes }]
  })
}

function anthropicStreams(): RecordedStream[] {
  return Object.entries(anthropicAnswers).map(([name, answer]) => ({
    name: `anthropic: ${name}`,
    ...recordingOf(vendors.anthropic, anthropicStream(answer)),
  }))
}

function geminiStreams(): RecordedStream[] {
  return Object.entries(goldenStreams).map(([name, frames]) => ({
    name: `gemini: ${name}`,
    vendor: vendors['google-ai-studio'],
    contentType: 'text/event-stream',
    bytes: Buffer.from(frames.map((frame) => `data: ${frame}\r\n\r\n`).join('')),
  }))
}

function responsesStreams(): RecordedStream[] {
  return Object.entries(responsesAnswers).flatMap(([name, answer]) => [
    { name: `responses: ${name}`, ...recordingOf(openAiOnResponses, responsesStream(answer)) },
    { name: `responses of xAI: ${name}`, ...recordingOf(xaiOnResponses, responsesStream({ ...answer, style: 'xai' })) },
  ])
}

function bedrockStreams(): RecordedStream[] {
  return Object.entries(bedrockAnswers).map(([name, answer]) => ({
    name: `bedrock: ${name}`,
    ...recordingOf(vendors['amazon-bedrock'], bedrockStream(answer)),
  }))
}
