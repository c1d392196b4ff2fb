import type { Part } from '#domain/inference/parts.ts'
import type { StreamPart } from '#domain/inference/stream-part.ts'
import { completionTokensOf, promptTokensOf, type UsageClasses } from '#domain/inference/usage.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { protocolOf } from '#providers/protocols.ts'
import type { ResponseHeaders } from '#providers/refusal.ts'
import type { VendorSpec } from '#providers/spec.ts'
import { parseJson } from '#test/simulators/json-value.ts'

interface RawReply {
  readonly vendor: VendorSpec
  readonly status: number
  readonly headers: ResponseHeaders
  readonly bytes: Buffer
}

/** Our readers' result: text, thinking, tool calls, finish reason and usage, or the failure. */
export function readReply({ vendor, status, headers, bytes }: RawReply): JsonValue {
  const protocol = protocolOf(vendor)
  if (status !== 200) {
    const { status: read, inside } = protocol.readFailure(status, headers, bytes.toString('utf8'))
    return { status: read, message: inside }
  }
  if (protocol.isStream(String(headers['content-type']))) {
    const reader = protocol.createStreamReader(vendor)
    return replyOfStream([...reader.push(bytes), ...reader.end()])
  }
  const read = protocol.readDocument(bytes, vendor)
  if (!read.ok) return { failure: read.failure.message }
  const [choice] = read.reply.choices
  const parts = choice?.parts ?? []
  return {
    text: textOf(parts, 'text'),
    thinking: textOf(parts, 'reasoning'),
    calls: parts.flatMap((part) =>
      part.kind === 'tool-call'
        ? [{ id: part.id, name: part.name, arguments: parseJson(part.argumentsJson || '{}') }]
        : [],
    ),
    finish: choice?.nativeFinishReason ?? null,
    usage: usageOf(read.reply.usage),
  }
}

function textOf(parts: readonly Part[], kind: 'text' | 'reasoning'): string {
  return parts.map((part) => (part.kind === kind && 'text' in part ? (part.text ?? '') : '')).join('')
}

function replyOfStream(parts: readonly StreamPart[]): JsonObject {
  const calls = new Map<number, { id: string; name: string; json: string }>()
  const reply = { text: '', thinking: '', finish: '', usage: null as JsonObject | null }
  for (const part of parts) {
    if (part.kind === 'text-added') reply.text += part.text
    if (part.kind === 'reasoning-added') reply.thinking += part.text
    if (part.kind === 'tool-call-started') calls.set(part.index, { id: part.id, name: part.name, json: '' })
    if (part.kind === 'tool-call-added') {
      const call = calls.get(part.index)
      if (call !== undefined) call.json += part.json
    }
    if (part.kind === 'finished') reply.finish = part.native ?? ''
    if (part.kind === 'usage-counted') reply.usage = usageOf(part.usage)
    assert(part.kind !== 'failed', 'the stream goes well')
  }
  const read = [...calls.values()].map(({ id, name, json }) => ({ id, name, arguments: parseJson(json) }))
  return { ...reply, calls: read }
}

function usageOf(usage: UsageClasses | null): JsonObject | null {
  if (usage === null) return null
  return {
    prompt: promptTokensOf(usage),
    cached: usage.cacheRead,
    completion: completionTokensOf(usage),
    reasoning: usage.reasoningOutput,
  }
}
