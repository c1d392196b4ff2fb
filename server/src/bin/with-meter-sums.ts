import type { Config } from '#config/config-schema.ts'
import { eventSinksOf } from '#config/event-sinks.ts'
import { malformed } from '#errors/malformed.ts'
import { createLagoSums } from '#net/events/sums/lago-sums.ts'
import { createOpenMeterSums } from '#net/events/sums/openmeter-sums.ts'
import { createReadJson } from '#net/events/sums/read-json.ts'
import { createStripeMeterSums } from '#net/events/sums/stripe-meter-sums.ts'
import { createUpstreamClient } from '#net/upstream-client.ts'
import type { ReadMeterSums } from '#ports/meter-sums.ts'

/** Opens the connections to a configured metering system, and closes them afterwards. */
export async function withMeterSums<T>(
  { events, upstream }: Config,
  name: string,
  use: (read: ReadMeterSums) => Promise<T>,
): Promise<T> {
  const { openMeter, lago, stripeMeter } = eventSinksOf(events)
  const systems = {
    openmeter: { sinks: openMeter, create: createOpenMeterSums },
    lago: { sinks: lago, create: createLagoSums },
    'stripe-meter': { sinks: stripeMeter, create: createStripeMeterSums },
  }
  const found = Object.entries(systems).find(([system]) => system === name)?.[1]
  if (found === undefined) throw malformed(`${name} is not a metering system. Use ${Object.keys(systems).join(', ')}.`)
  const [sink] = found.sinks
  if (sink === undefined) throw malformed(`${name} has no URL in the configuration. Set its URL in the section events.`)
  const upstreams = createUpstreamClient({ connectTimeoutMs: upstream.connectTimeoutMs, connectionsMax: 1 })
  try {
    const read = createReadJson({ upstreams, url: sink.url, headers: sink.headers, timeoutMs: events.timeoutMs })
    return await use(found.create(read, events.meter))
  } finally {
    await upstreams.close()
  }
}
