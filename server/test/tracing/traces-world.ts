import { expect } from 'vitest'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import { type HostsWorld, startHostsWorld } from '#test/routing/hosts-world.ts'
import { type AnswerCall, startWebhookReceiver, type WebhookReceiver } from '#test/videos/webhook-receiver.ts'
import { judgeExport, type SeenSpan } from './judge-export.ts'

/** A gateway with four upstreams, and the collector of its spans. */
export interface TracesWorld extends HostsWorld {
  readonly collector: WebhookReceiver
  /** All spans of a trace after its whole request has ended, in the order of their starts. */
  spansOf(traceId: string): Promise<SeenSpan[]>
  /** The log lines of a trace. */
  logged(traceId: string): JsonObject[]
}

const takeSpans: AnswerCall = (_call, response) => void response.end('{}')

export async function startTracesWorld(
  environment: Record<string, string> = {},
  answer = takeSpans,
): Promise<TracesWorld> {
  const collector = await startWebhookReceiver(answer)
  const hosts = await startHostsWorld(
    {
      WEIR_TRACING_URL: `${collector.url}/v1/traces`,
      WEIR_TRACING_TRUST_PARENTS: 'true',
      WEIR_TRACING_HEADERS: 'x-collector-key: secret-of-the-collector',
      ...environment,
    },
    { wait: async () => {} },
  )
  const spansOf = (traceId: string): SeenSpan[] =>
    collector.calls
      .flatMap(({ body }) => judgeExport(body))
      .filter((span) => span.traceId === traceId)
      .sort((one, other) => Number(one.startNs - other.startNs))
  return {
    ...hosts,
    collector,
    spansOf: async (traceId) => {
      // Every span ends, so no parent is missing here; only the root's is elsewhere.
      await expect.poll(() => isWhole(spansOf(traceId)), { timeout: 20_000 }).toBe(true)
      return spansOf(traceId)
    },
    logged: (traceId) =>
      hosts.gateway.logLines.map((line) => parseJsonObject(line) ?? {}).filter((line) => line['traceId'] === traceId),
    close: async () => {
      await hosts.close()
      await collector.close()
    },
  }
}

const kindServer = 2

function isWhole(spans: readonly SeenSpan[]): boolean {
  const isDispatched = spans.some(({ name }) => name === 'dispatch')
  const isSettled = spans.some(({ name }) => name === 'settle')
  return spans.some(({ kind }) => kind === kindServer) && isDispatched === isSettled
}

/** The names of spans as a tree. */
export function treeOf(spans: readonly SeenSpan[], parent = rootOf(spans), depth = 0): string[] {
  const below = spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId)
  return [`${'  '.repeat(depth)}${parent.name}`, ...below.flatMap((span) => treeOf(spans, span, depth + 1))]
}

export function rootOf(spans: readonly SeenSpan[]): SeenSpan {
  return spanNamed(spans, ({ kind }) => kind === kindServer)
}

export function spanNamed(spans: readonly SeenSpan[], wanted: string | ((span: SeenSpan) => boolean)): SeenSpan {
  const found = spans.filter((span) => (typeof wanted === 'string' ? span.name === wanted : wanted(span)))
  expect(found).toHaveLength(1)
  return found[0] as SeenSpan
}

/** The trace id that a response started. */
export function traceOf(headers: Headers): string {
  return (headers.get('x-request-id') ?? '').slice('req_'.length)
}
