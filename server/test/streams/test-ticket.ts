import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { parseUnitPrices, type PriceList } from '#domain/money/price-list.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { Wanted } from '#domain/routing/wanted.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { Arrival, ClientConnection, Plan, Ticket } from '#pipeline/types.ts'

const price: PriceList = {
  id: 'price-1',
  base: parseUnitPrices({ prompt: '0.000001', completion: '0.000002' }),
  tiers: [],
}

const model: Model = {
  id: 'acme/model',
  name: 'Model',
  author: 'acme',
  kind: 'chat',
  description: null,
  contextLength: null,
  maxCompletionTokens: null,
  inputModalities: ['text'],
  outputModalities: ['text'],
  supportedParameters: null,
  defaultProvider: 'openai',
  upstreamModel: 'model',
  aliases: [],
  releasedAtMs: null,
  retiresAtMs: null,
  listed: true,
  details: {},
  price,
  offers: [],
}

const candidate: Candidate = {
  model,
  account: {
    id: 'account-1',
    name: 'first',
    vendor: 'openai',
    baseUrl: 'http://upstream.test/v1',
    credential: 'secret',
    keepsPrompts: false,
    weight: 1,
  },
  upstreamModel: 'model',
  price,
  maxCompletionTokens: null,
  quantization: null,
  billing: 'charged',
}

/** The wallet of every test ticket. */
export const testPayer: Uuid = newUuid(0)

/** A client that accepts and records everything. */
interface RecordingCaller extends ClientConnection {
  readonly sent: string
  readonly ended: boolean
  leave(): void
}

export function recordingConnection(): RecordingCaller {
  const sent: string[] = []
  let gone = false
  let ended = false
  let streaming = false
  let goneListener: (() => void) | null = null
  let sentListener: (() => void) | null = null
  return {
    get sent() {
      return sent.join('')
    },
    get ended() {
      return ended
    },
    get gone() {
      return gone
    },
    get streaming() {
      return streaming
    },
    quietSinceMs: 0,
    blockedSinceMs: null,
    drop: () => {},
    onGone: (listener) => {
      goneListener = listener
    },
    onDrain: () => {},
    onSent: (listener) => {
      sentListener = listener
    },
    startStream: () => {
      streaming = true
    },
    write: (bytes) => {
      sent.push(bytes.toString('utf8'))
      return true
    },
    end: () => {
      ended = true
      if (!gone) sentListener?.()
    },
    leave: () => {
      gone = true
      goneListener?.()
    },
  }
}

/** A request in progress, for tests of single stages. */
export function testTicket(change: Partial<Plan> = {}, connection: ClientConnection = recordingConnection()): Ticket {
  const id = newUuid(Date.now())
  const plan: Plan = {
    call: {
      modelName: model.id,
      stream: true,
      maxTokens: null,
      choiceCount: 1,
      hasTools: false,
      promptTokensEstimate: 10,
      promptTokensHeld: 10,
      body: {},
    },
    candidates: [candidate],
    heldTokens: 1_024,
    amount: nanoUsd(2_058_000n),
    estimate: nanoUsd(2_058_000n),
    isOpenEnded: true,
    isBilled: true,
    conversation: null,
    explanation: { candidates: [], excluded: [], autoTier: null },
    ...change,
  }
  return {
    arrival: arrivalOf(id, connection),
    principal: {
      keyId: id,
      keyName: 'test',
      keyType: 'standard',
      operatorRole: null,
      userId: id,
      organizationId: null,
      memberId: null,
      teamId: null,
      walletId: testPayer,
      enabled: true,
      suspended: false,
      expiresAtMs: null,
      allowedCidrs: [],
      freeFallback: true,
      cacheTtlSeconds: null,
      keyCap: null,
      breaker: null,
      organization: null,
      institutionSession: null,
      customerToken: null,
      attribution: null,
      balance: zeroUsd,
    },
    plan,
    windows: [],
    replyHeaders: {},
    payable: plan.amount,
    heldAmount: plan.amount,
    heldTokens: plan.heldTokens,
    attempts: [],
    skipped: [],
    firstTokenAtMs: null,
    settlement: null,
  }
}

/** The parse result of a request that names one model. */
export const wantedModel: Wanted = { models: [model], sort: null, online: false, autoTier: null, excluded: [] }

function arrivalOf(id: Uuid, connection: ClientConnection): Arrival {
  return {
    generationId: id,
    receivedAtMs: Date.now(),
    dialect: chatDialect,
    access: 'models.chat',
    authorization: undefined,
    apiKey: undefined,
    clientIp: null,
    appName: null,
    attribution: null,
    maxCost: undefined,
    freeFallback: true,
    receive: async () => {},
    isCostlyToReceive: false,
    body: {},
    files: [],
    bodyBytes: 2,
    wantsEvents: false,
    connection,
    basePath: '',
    ownUrl: '',
    replyHeaders: {},
    trace: null,
  }
}
