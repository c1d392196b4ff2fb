import { addModels } from '#test/setup/add-models.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { offerFreeModel } from '#test/setup/offer-free-model.ts'
import type { RecordedRequest } from '#test/simulators/request-log.ts'
import type { Scenario } from '#test/simulators/scenario.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'

export const protocols = ['openai', 'anthropic', 'gemini', 'bedrock'] as const
export type Protocol = (typeof protocols)[number]

/** The upstream of each protocol, an upstream that fails before another is called, and the upstream of an own key. */
export type HostName = Protocol | 'failing' | 'own'

/** One gateway with upstreams of every protocol, shared by many requests: a mark in the prompt identifies each. */
export interface RecordWorld extends TestGateway {
  play(host: HostName, mark: string, scenario: Scenario): void
  /** The request with this mark, as that upstream saw it. */
  seenBy(host: HostName, mark: string): RecordedRequest | undefined
  urlOf(host: HostName): string
}

const vendors = {
  openai: { vendor: 'openai', base: '/v1' },
  anthropic: { vendor: 'anthropic', base: '' },
  gemini: { vendor: 'google-ai-studio', base: '/v1' },
  bedrock: { vendor: 'amazon-bedrock', base: '' },
} as const satisfies Record<Protocol, { vendor: string; base: string }>

export const vendorOf = (protocol: Protocol): string => vendors[protocol].vendor
const failingVendor = 'deepinfra'

/** Paid, paid and served by a second upstream, routed to an address where nothing listens, and free of charge. */
const variants = ['', '-twice', '-gone', '-free'] as const
type Variant = (typeof variants)[number]
export const modelOf = (protocol: Protocol, variant: Variant = ''): string => `acme/${protocol}${variant}`

// 2, 10 and half a dollar per million tokens.
const pricing = { prompt: '0.000002', completion: '0.00001', cache_read: '0.0000005' }

function recordOf(protocol: Protocol, variant: Variant) {
  const id = modelOf(protocol, variant)
  const offer = { upstream_model_id: 'm-1', pricing }
  const provider = vendorOf(protocol)
  return {
    id,
    name: id,
    author: 'acme',
    kind: 'chat',
    provider,
    upstream_model_id: 'm-1',
    context_length: 100_000,
    max_completion_tokens: 8_000,
    input_modalities: ['text'],
    output_modalities: ['text'],
    supported_parameters: ['max_tokens', 'tools'],
    pricing,
    status: 'active',
    offers: [{ provider, ...offer }, ...(variant === '-twice' ? [{ provider: failingVendor, ...offer }] : [])],
  }
}

export async function startRecordWorld(): Promise<RecordWorld> {
  const gateway = await startTestGateway({
    WEIR_BREAKER_FAILURES: '100000',
    WEIR_LIMITS_ACCOUNT: '1000000',
    WEIR_EGRESS_ALLOWED_NETWORKS: '127.0.0.1/32',
  })
  const gone = await startSimulator()
  await gone.close()
  const hosts: Record<HostName, Simulator> = {
    openai: await startSimulator(),
    anthropic: await startSimulator(),
    gemini: await startSimulator(),
    bedrock: await startSimulator(),
    failing: await startSimulator(),
    own: await startSimulator(),
  }
  await addModels(
    gateway,
    protocols.flatMap((protocol) => variants.map((variant) => recordOf(protocol, variant))),
  )
  for (const protocol of protocols) {
    const { vendor, base } = vendors[protocol]
    for (const variant of variants) {
      const { url } = variant === '-gone' ? gone : hosts[protocol]
      const pattern = modelOf(protocol, variant)
      await gateway.addProvider({ vendor, name: `${protocol}${variant}`, url: url + base, pattern, priority: 1 })
    }
    const pattern = modelOf(protocol, '-twice')
    const url = `${hosts.failing.url}/v1`
    await gateway.addProvider({ vendor: failingVendor, name: `failing-${protocol}`, url, pattern, priority: 0 })
    await offerFreeModel(gateway, modelOf(protocol, '-free'))
  }
  const marks = Object.fromEntries(Object.keys(hosts).map((name) => [name, {} as Record<string, Scenario>]))
  for (const [name, host] of Object.entries(hosts)) host.play({ kind: 'by-mark', marks: marks[name] ?? {} })
  return {
    ...gateway,
    urlOf: (host) => hosts[host].url,
    play: (host, mark, scenario) => Object.assign(marks[host] ?? {}, { [mark]: scenario }),
    seenBy: (host, mark) => hosts[host].requests.find(({ rawBody }) => rawBody.includes(mark)),
    close: async () => {
      await gateway.close()
      await Promise.all(Object.values(hosts).map((host) => host.close()))
    },
  }
}
