import { vi } from 'vitest'
import { atOnce } from '#test/attack/setup/at-once.ts'
import type { CallBody } from '#test/setup/client.ts'
import type { Known } from './judge-record.ts'
import { type Observed, observeCall } from './observe-call.ts'
import type { HostName, RecordWorld } from './record-world.ts'
import { only, type Played } from './text-plays.ts'

/** One request, the upstreams' behaviour, and the client's reading of the response. */
export interface RecordCase {
  readonly label: string
  /** The row of the table. */
  readonly request: string
  readonly outcome: string
  readonly endpoint: string
  readonly path: string
  /** The prompt contains a mark by which upstreams identify the request. */
  body(mark: string): CallBody
  readonly model: string
  /** The upstream that responds, or null. */
  readonly host: HostName | null
  /** The provider in the record: the last provider that was called. */
  readonly provider: string
  readonly played: Played | null
  /** The behaviour of an upstream that is called first. */
  readonly before?: Played
  readonly leaves?: Leaving
  /** The request uses a key of an organization with an own key of this protocol. */
  readonly ownKey?: 'openai' | 'anthropic'
  readonly priced: Known['priced']
  readonly counted?: Known['counted']
  hear(observed: Observed): HeardAnswer
}

/** The client disconnects after this text, or when its request has reached the upstream. */
type Leaving = { readonly after: string } | 'before the answer'

export interface HeardAnswer {
  readonly told: Known['told']
  /** Whether the client understood the response as the upstream sent it. */
  readonly understood: boolean
}

/** A finished request, the only one of its account. */
export interface Walked {
  readonly made: RecordCase
  readonly key: string
  readonly keyId: string
  readonly known: Known
  /** The body, if it is a document. */
  readonly answer: Readonly<Record<string, unknown>>
  /** True for a disconnected client. */
  readonly understood: boolean
}

/** Sends all requests concurrently, each with its own account. */
export async function walkCalls(world: RecordWorld, cases: readonly RecordCase[]): Promise<Walked[]> {
  const walked: Walked[] = []
  await atOnce(cases.entries(), 16, async ([index, made]) => {
    walked.push(await walkOne(world, made, `<${index}>`))
  })
  return walked
}

async function walkOne(world: RecordWorld, made: RecordCase, mark: string): Promise<Walked> {
  const { model, provider, host, played, before, ownKey, leaves, priced } = made
  const account = ownKey === undefined ? await world.createClient() : await addOwnKey(world, ownKey)
  if (host !== null && played !== null) world.play(host, mark, played.scenario)
  if (before !== undefined) world.play('failing', mark, before.scenario)
  const app = `app ${mark}`
  const observed = await observe(world, made, { mark, app, key: account.key })
  const { told, understood } = leaves === undefined ? made.hear(observed) : { told: null, understood: true }
  const seen = host === null ? undefined : world.seenBy(host, mark)
  const upstream = {
    ...(played?.words ?? only(0)),
    receivedAtMs: seen?.receivedAtMs ?? observed.endedAtMs,
    // A test model waits for 20 ms, so at least one millisecond passes on any clock.
    waitedUntilMs: seen?.waitedUntilMs ?? (host === null && played !== null ? [observed.startedAtMs + 1] : []),
  }
  return {
    made,
    key: account.key,
    keyId: account.keyId,
    known: { model, provider, app, told, priced, counted: made.counted ?? {}, observed, upstream },
    answer: isDocument(observed) ? JSON.parse(observed.text) : {},
    understood,
  }
}

/**
 * Sends the request, and waits for its record: immediately after the end, or a moment later for a disconnected client.
 */
async function observe(
  world: RecordWorld,
  { path, body, host, leaves, label }: RecordCase,
  { mark, app, key }: { mark: string; app: string; key: string },
): Promise<Observed> {
  const client = world.as(key)
  const call = { path, body: body(mark), app }
  const findKept = async (): Promise<string> => {
    const [kept] = (await client.get('/v1/generations')).list
    if (typeof kept?.id !== 'string') throw new Error(`${label} is not kept`)
    return kept.id
  }
  if (leaves === undefined) {
    const observed = await observeCall(client, call)
    if ((await findKept()) !== observed.generationId) throw new Error(`${label} is kept by another id`)
    return observed
  }
  if (leaves !== 'before the answer') {
    const observed = await observeCall(client, { ...call, leaveAfter: leaves.after })
    await vi.waitFor(findKept, patience)
    return observed
  }
  const reached = vi.waitFor(() => {
    if (host === null || world.seenBy(host, mark) === undefined) throw new Error(`${label} was not sent`)
  }, patience)
  const observed = await observeCall(client, { ...call, leaveWhen: reached })
  return { ...observed, generationId: await vi.waitFor(findKept, patience) }
}

const patience = { timeout: 300_000, interval: 10 }

function isDocument({ headers, text }: Observed): boolean {
  return text !== '' && headers.get('content-type')?.startsWith('application/json') === true
}

/** Creates a key of an organization with its own key at an upstream. */
async function addOwnKey(world: RecordWorld, protocol: 'openai' | 'anthropic') {
  const { id } = await world.createOrganization()
  const { memberId } = await world.addMember(id, { role: 'org_admin' })
  const manager = await world.addOrganizationKey(id, { memberId, terms: { type: 'management' } })
  const reply = await world.as(manager.key).post('/v1/management/byok-keys', {
    name: 'Ours',
    baseUrl: `${world.urlOf('own')}/v1`,
    apiKey: 'sk-own-0123456789wxyz',
    protocol,
    fallbackMode: 'strict',
    modelMappings: [{ model: `acme/${protocol}`, upstreamModel: 'ours' }],
  })
  if (reply.status !== 201) throw new Error(`no own key: ${reply.text}`)
  return world.addOrganizationKey(id)
}
