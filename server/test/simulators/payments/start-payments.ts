import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { checkoutPage } from './checkout-page.ts'
import { readForm } from './form.ts'
import { ProviderState } from './provider-state.ts'
import { type ApiAnswer, answerCall, readQuery, refused } from './stripe-api.ts'
import { WebhookSender } from './webhook-sender.ts'

/** A fault of an API request. */
export type ApiFault =
  | '500-before' // nothing was done
  | '500-after' // it was done
  | '429'
  | 'hang-up' // it was done, and the connection broke

interface ApiCallSeen {
  readonly name: string
  readonly idempotencyKey: string | null
  readonly version: string | null
}

export interface PaymentsOptions {
  readonly port?: number
  readonly nowMs?: () => number
  readonly isPrompt?: boolean
  readonly secretKey?: string
  readonly webhookSecret?: string
  readonly idsFrom?: number
}

/** A payment provider on a real socket for the real SDK: its API, its payment page and its webhooks. */
export async function startPayments(options: PaymentsOptions = {}): Promise<PaymentsSimulator> {
  const simulator = new PaymentsSimulator(options)
  await simulator.listen(options.port ?? 0)
  return simulator
}

export class PaymentsSimulator {
  url = ''
  readonly secretKey: string
  readonly webhookSecret: string
  readonly state: ProviderState
  readonly webhooks: WebhookSender
  /** API requests, such as `POST /v1/refunds`. */
  readonly calls: ApiCallSeen[] = []
  /** Called before a response is sent: a drill can kill a process at this point. */
  onCall: (name: string) => Promise<void> | void = () => {}
  readonly #faults: { begin: string; fault: ApiFault }[] = []
  readonly #kept = new Map<string, { fingerprint: string; answer: ApiAnswer }>()
  readonly #server = createServer((request, response) => {
    const target = new URL(request.url ?? '/', this.url)
    const served = target.pathname.startsWith('/pay/')
      ? this.#servePage(request, response, target)
      : this.#serveApi(request, response, target)
    void served
  })

  constructor({ nowMs = Date.now, isPrompt = false, secretKey, webhookSecret, idsFrom = 0 }: PaymentsOptions) {
    this.secretKey = secretKey ?? 'sk_test_simulated'
    this.webhookSecret = webhookSecret ?? 'whsec_simulated'
    this.webhooks = new WebhookSender({ secret: this.webhookSecret, nowMs, isPrompt })
    this.state = new ProviderState({ nowMs, idsFrom, onEvent: (event) => this.webhooks.take(event) })
  }

  /** Queues faults for the next requests whose method and path start with this, one each. */
  failNext(begin: string, ...faults: readonly ApiFault[]): void {
    this.#faults.push(...faults.map((fault) => ({ begin, fault })))
  }

  /** Removes all pending faults. */
  heal(): void {
    this.#faults.length = 0
    this.webhooks.heal()
  }

  async listen(port: number): Promise<void> {
    this.#server.listen(port, '127.0.0.1')
    await once(this.#server, 'listening')
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('The simulator listens on no port.')
    this.url = `http://127.0.0.1:${address.port}`
  }

  async close(): Promise<void> {
    await this.webhooks.settled()
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  async #serveApi(request: IncomingMessage, response: ServerResponse, target: URL): Promise<void> {
    const raw = await text(request)
    const { method = '' } = request
    const name = `${method} ${target.pathname}`
    const key = headerOf(request, 'idempotency-key')
    this.calls.push({ name, idempotencyKey: key, version: headerOf(request, 'stripe-version') })
    if (headerOf(request, 'authorization') !== `Bearer ${this.secretKey}`) {
      return send(response, refused(401, 'invalid_request_error', 'Invalid API Key provided.'))
    }
    await this.onCall(name)
    const at = this.#faults.findIndex(({ begin }) => name.startsWith(begin))
    const fault = at < 0 ? undefined : this.#faults.splice(at, 1)[0]?.fault
    if (fault === '500-before') return send(response, broken)
    if (fault === '429') return send(response, refused(429, 'rate_limit_error', 'Too many requests.'))
    const call = { method, path: target.pathname, query: readQuery(target.search), body: readForm(raw) }
    const answer = this.#actOnce(key, `${name} ${raw}`, () => answerCall(this.state, call, this.url))
    if (fault === '500-after') return send(response, broken)
    if (fault === 'hang-up') return void response.destroy()
    send(response, answer)
  }

  /** The same key gets the same response, and another request with it is rejected. */
  #actOnce(key: string | null, fingerprint: string, act: () => ApiAnswer): ApiAnswer {
    if (key === null) return act()
    const before = this.#kept.get(key)
    if (before === undefined) {
      const answer = act()
      if (answer.status === 200 || answer.status === 402)
        this.#kept.set(key, { fingerprint, answer: structuredClone(answer) })
      return answer
    }
    if (before.fingerprint === fingerprint) return before.answer
    const words = 'Keys for idempotent requests can only be used with the same parameters they were first used with.'
    return refused(400, 'idempotency_error', words)
  }

  async #servePage(request: IncomingMessage, response: ServerResponse, target: URL): Promise<void> {
    const session = this.state.sessions.get(target.pathname.slice('/pay/'.length))
    if (session === undefined) return void response.writeHead(404).end()
    if (request.method !== 'POST') {
      return void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(checkoutPage(session))
    }
    const { how } = readForm(await text(request))
    if (how !== 'cancel' && session.status === 'open') {
      if (session.mode === 'setup') this.state.completeSetup(session.id)
      else this.state.pay(session.id, { later: how === 'later' })
    }
    const location = how === 'cancel' ? session.cancel_url : session.success_url
    response.writeHead(303, { location: location.replaceAll('{CHECKOUT_SESSION_ID}', session.id) }).end()
  }
}

const broken = refused(500, 'api_error', 'An unknown error occurred.')

function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name]
  return typeof value === 'string' ? value : null
}

function send(response: ServerResponse, { status, body }: ApiAnswer): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_simulated' })
    .end(JSON.stringify(body))
}
