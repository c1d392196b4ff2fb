import { quantileOf } from '../figure.ts'
import { chunksPerLongStream, chunksPerStream } from '../settings.ts'
import { createMemoryGateway, type MemoryGateway } from './memory-edge.ts'
import { type Scenario, type ScenarioName, scenarios } from './scenarios.ts'
import { createTally } from './tally.ts'
import { type Counter, type Counters, counterNames } from './counters.ts'

/**
 * `node --expose-gc --max-semi-space-size=512 server/test/bench/counters/count.ts`: prints as JSON what each kind of
 * request, and each chunk of each kind of stream, creates. It runs in its own process, because it replaces globals.
 */
const rounds = 40
/**
 * The number of concurrent clients, and of warm-up rounds before anything is counted: until the compiler has optimized
 * the code of a request. A stream runs the same code for every chunk.
 */
const plans: Readonly<Record<ScenarioName, { readonly clients: number; readonly warmUps: number }>> = {
  json: { clients: 16, warmUps: 300 },
  stream: { clients: 2, warmUps: 150 },
  longStream: { clients: 2, warmUps: 30 },
  translated: { clients: 2, warmUps: 150 },
  longTranslated: { clients: 2, warmUps: 30 },
  media: { clients: 16, warmUps: 300 },
  refused: { clients: 16, warmUps: 300 },
}

const tally = createTally()
const counted = new Map<ScenarioName, Counters>()
for (const name of Object.keys(scenarios) as ScenarioName[]) counted.set(name, await countOne(name))
process.stdout.write(
  `${JSON.stringify({
    json: rounded(of('json')),
    stream_chunk: rounded(perChunk('longStream', 'stream')),
    translated_chunk: rounded(perChunk('longTranslated', 'translated')),
    media: rounded(of('media')),
    refused: rounded(of('refused')),
  })}\n`,
)
process.exit(0)

async function countOne(name: ScenarioName): Promise<Counters> {
  const { clients, warmUps } = plans[name]
  const gateway = await createMemoryGateway()
  const scenario = scenarios[name](gateway, clients)
  for (let turn = 0; turn < warmUps; turn += 1) await scenario.send()
  const kb = await measureBytes(scenario)
  const scripts = gateway.world.calls.scripts
  tally.start()
  await scenario.send()
  const { promises, timers, bigints } = tally.stop()
  const redis = gateway.world.calls.scripts - scripts
  return {
    promises: promises / clients,
    timers: timers / clients,
    redis: redis / clients,
    kb,
    bigints: bigints / clients,
    statements: await countStatements(name, gateway),
  }
}

/** Statements of a single request: concurrent requests share a statement. */
async function countStatements(name: ScenarioName, gateway: MemoryGateway): Promise<number> {
  const alone = scenarios[name](gateway, 1)
  const before = gateway.world.calls.statements
  await alone.send()
  return gateway.world.calls.statements - before
}

/**
 * The lower quartile of many rounds, in KB per request: other allocations, such as the compiler's, add to a round, and
 * a full collection takes from it. The young generation is too large to be collected within a round.
 */
async function measureBytes(scenario: Scenario): Promise<number> {
  const bytes: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    if (round % 8 === 0) globalThis.gc?.()
    const before = process.memoryUsage().heapUsed
    await scenario.send()
    bytes.push(process.memoryUsage().heapUsed - before)
  }
  return quantileOf(bytes, 0.25) / 1_024 / scenario.requests
}

function of(name: ScenarioName): Counters {
  const found = counted.get(name)
  if (found === undefined) throw new Error(`${name} was not counted`)
  return found
}

/** The amount that each further chunk adds: the difference between a long and a short stream. */
function perChunk(long: ScenarioName, short: ScenarioName): Counters {
  const chunks = chunksPerLongStream - chunksPerStream
  return mapCounters((counter) => (of(long)[counter] - of(short)[counter]) / chunks)
}

function rounded(counters: Counters): Counters {
  return mapCounters((counter) => Math.round(counters[counter] * 1_000) / 1_000)
}

function mapCounters(valueOf: (counter: Counter) => number): Counters {
  return Object.fromEntries(counterNames.map((counter) => [counter, valueOf(counter)])) as Counters
}
