import { setImmediate as nextTurn } from 'node:timers/promises'
import { eventIdOf, ownIdPrefix, parseEvent, readClientEvent } from '#dialects/realtime/client-events.ts'
import { refersToItems } from '#dialects/realtime/response-fields.ts'
import { type SessionWishes, shownSession } from '#dialects/realtime/session-fields.ts'
import { realtimeInputMax, realtimeOutputMax } from '#domain/media/worst-realtime.ts'
import { accountSecrets } from '#domain/routing/account-secrets.ts'
import { asGatewayError, type GatewayError } from '#errors/gateway-error.ts'
import { cutOffByStop } from '#errors/run-refusals.ts'
import { countAt, type JsonObject, objectAt, parseJsonObject, stringAt } from '#lib/json.ts'
import type { TextSocket } from '#lib/text-socket.ts'
import { newUuid } from '#lib/uuid.ts'
import type { RealtimeLine } from '#pipeline/realtime.ts'
import type { Arrival, Ticket } from '#pipeline/types.ts'
import { ContextMeter } from './context-meter.ts'
import { endsSession } from './ends-session.ts'
import { Inbox } from './inbox.ts'
import type { SessionState } from './prepare-session.ts'
import { doneEvent, errorEvent, upstreamErrorEvent } from './server-events.ts'
import {
  closeReason,
  responseActive,
  sessionExpired,
  unheld,
  upstreamClosed,
  upstreamStalled,
} from './session-errors.ts'
import type { SessionDeps } from './session-deps.ts'
import { Turn } from './turn.ts'

/** Close codes of RFC 6455. */
export const closeCodes = { normal: 1000, goingAway: 1001, policy: 1008, internal: 1011 } as const

/** A socket with more unsent bytes than this stops the reading of the other one. */
const bufferedBytesMax = 1_048_576
/** How long the usage of a cancelled response is awaited. */
const lastWordsMs = 5_000
/** How long a response may run on while its gateway shuts down. */
const drainMs = 10_000

/**
 * One session: relays events between a client and the upstream that serves it. The gateway starts every response
 * itself, also the ones after speech, so that each has its hold first; one response runs at a time.
 */
export class RealtimeSession {
  readonly #deps: SessionDeps
  readonly #line: RealtimeLine
  readonly #client: TextSocket
  readonly #arrivalOf: (body: JsonObject) => Arrival
  readonly #meter: ContextMeter
  readonly #fromClient: Inbox
  readonly #fromUpstream: Inbox
  readonly #outputTokensMax: number
  #answersSpeech: boolean
  #askedTokensMax: number | null = null
  /** Set from the moment a response is asked for until it is settled. */
  #turn: Turn | null = null
  /** Speech has ended while a response was running. */
  #isAnswerDue = false
  #spokenItem: string | null = null
  /** The stages before the response, while they run. */
  #beginning: Promise<void> | null = null
  readonly #startedAtMs: number
  #clientHeardAtMs: number
  #upstreamHeardAtMs: number
  #ending: Promise<void> | null = null

  constructor(
    deps: SessionDeps,
    line: RealtimeLine,
    { client, arrivalOf, state }: { client: TextSocket; arrivalOf: (body: JsonObject) => Arrival; state: SessionState },
  ) {
    this.#deps = deps
    this.#line = line
    this.#client = client
    this.#arrivalOf = arrivalOf
    this.#answersSpeech = state.answersSpeech
    this.#meter = new ContextMeter(state.session, state.audioBytesPerToken)
    const { candidate } = line
    this.#outputTokensMax = realtimeOutputMax(candidate.maxCompletionTokens, candidate.model.maxCompletionTokens)
    this.#startedAtMs = this.#clientHeardAtMs = this.#upstreamHeardAtMs = deps.nowMs()
    const onFault = (error: unknown): void => this.#breakOff(asGatewayError(error))
    this.#fromClient = new Inbox(client, (text) => this.#hearClient(text), onFault)
    this.#fromUpstream = new Inbox(line.upstream, (text) => this.#hearUpstream(text), onFault)
  }

  /** Resolves once everything is settled and both sockets are closed. */
  async run(created: JsonObject): Promise<void> {
    const { upstream } = this.#line
    const closed = Promise.withResolvers<void>()
    this.#client.onClosed(() => {
      closed.resolve()
      void this.end(closeCodes.normal, null)
    })
    upstream.onClosed(() => void this.end(closeCodes.internal, upstreamClosed()))
    this.#client.onDrained(() => this.#fromUpstream.unblock())
    upstream.onDrained(() => this.#fromClient.unblock())
    if (upstream.isClosed) void this.end(closeCodes.internal, upstreamClosed())
    this.#tell({ ...created, session: this.#shown(objectAt(created, 'session')) })
    this.#fromUpstream.start()
    this.#fromClient.start()
    await closed.promise
    await this.#ending
  }

  /** Judges the session every few seconds: its key, its silence, and the other sides. */
  async beat(): Promise<void> {
    const nowMs = this.#deps.nowMs()
    const isAlive = this.#client.beat()
    if (!isAlive) return this.end(closeCodes.policy, null)
    this.#line.upstream.beat()
    if (this.#turn !== null && nowMs - this.#upstreamHeardAtMs > this.#deps.stallMs) {
      return this.end(closeCodes.internal, upstreamStalled())
    }
    if (nowMs - this.#startedAtMs > this.#deps.sessionMs) {
      return this.end(closeCodes.normal, sessionExpired('The session has reached its maximum duration.'))
    }
    if (this.#turn === null && nowMs - this.#clientHeardAtMs > this.#deps.idleMs) {
      return this.end(closeCodes.normal, sessionExpired('The session was idle for too long.'))
    }
    try {
      await this.#deps.realtime.authenticate(this.#arrivalOf({}))
    } catch (error) {
      const refusal = asGatewayError(error)
      if (endsSession(refusal)) await this.end(closeCodes.policy, refusal)
    }
  }

  /** Ends the session after its response, which gets some time for that. */
  async drain(): Promise<void> {
    if (this.#turn !== null) await this.#within(drainMs, this.#turn.over)
    // The last event is relayed once its response is settled.
    await nextTurn()
    await this.end(closeCodes.goingAway, null)
  }

  async #within(ms: number, promise: Promise<void>): Promise<void> {
    const late = Promise.withResolvers<void>()
    const timer = this.#deps.timers.after(ms, late.resolve)
    await Promise.race([promise, late.promise])
    timer.cancel()
  }

  /** Ends the session once: its response is settled, the client is told why, and both sockets are closed. */
  end(code: number, error: GatewayError | null): Promise<void> {
    this.#ending ??= this.#end(code, error)
    return this.#ending
  }

  async #end(code: number, error: GatewayError | null): Promise<void> {
    const { upstream } = this.#line
    this.#fromClient.close()
    if (error !== null) this.#tellError(error, null)
    await this.#beginning?.catch(() => {})
    const turn = this.#turn
    if (turn?.ticket != null) {
      // Its usage is charged if the upstream still states it.
      if (turn.isSent && !upstream.isClosed) {
        this.#fromUpstream.unblock()
        upstream.send(JSON.stringify({ type: 'response.cancel' }))
        await this.#within(lastWordsMs, turn.over)
      }
      // A client that does not read what it asked for is one that has left.
      const isLeft = this.#client.isClosed || this.#isFull || code === closeCodes.policy
      await turn.abandon(isLeft ? 'client_cancelled' : 'stream_interrupted', error).catch(this.#deps.onFault)
    }
    this.#fromUpstream.close()
    this.#client.close(code, error === null ? '' : closeReason(error))
    upstream.close(closeCodes.normal, '')
  }

  get #isFull(): boolean {
    return this.#client.bufferedBytes > bufferedBytesMax
  }

  get #isOver(): boolean {
    return this.#ending !== null
  }

  #hearClient(text: string): void | Promise<void> {
    this.#clientHeardAtMs = this.#deps.nowMs()
    let eventId: string | null = null
    try {
      const sent = parseEvent(text)
      eventId = eventIdOf(sent)
      const read = readClientEvent(sent)
      const id = eventId
      switch (read.kind) {
        case 'audio':
          this.#meter.addAudio(read.byteCount)
          return this.#forward(read.event)
        case 'plain':
          this.#meter.addEvent(read.event)
          return this.#forward(read.event)
        case 'session':
          return this.#inspect(read.event, id, () => this.#apply(read.wishes))
        case 'item':
          return this.#inspect(read.event, id, () => {})
        case 'response':
          return this.#respond(read.response, id)
      }
    } catch (error) {
      this.#refuse(error, eventId)
    }
  }

  /** Forwards an event without the texts that rules remove, or tells the client why not. */
  async #inspect(event: JsonObject, eventId: string | null, forwarded: () => void): Promise<void> {
    try {
      const { model } = this.#line.candidate
      const inspected = await this.#deps.realtime.inspect(this.#line, this.#arrivalOf({ model: model.id, event }))
      const left = objectAt(inspected.body, 'event')
      this.#meter.addEvent(left)
      forwarded()
      this.#forward(left)
    } catch (error) {
      this.#refuse(error, eventId)
    }
  }

  #apply({ answersSpeech, outputTokensMax, audioBytesPerToken }: SessionWishes): void {
    if (answersSpeech !== undefined) this.#answersSpeech = answersSpeech
    if (outputTokensMax !== undefined) this.#askedTokensMax = outputTokensMax
    if (audioBytesPerToken !== undefined) this.#meter.noteFormat(audioBytesPerToken)
  }

  #forward(event: JsonObject): void {
    const { upstream } = this.#line
    if (this.#isOver) return
    upstream.send(JSON.stringify(event))
    if (upstream.bufferedBytes > bufferedBytesMax) this.#fromClient.block()
  }

  /** Asks the upstream for a response, once it has a hold. */
  async #respond(response: JsonObject, clientEventId: string | null): Promise<void> {
    if (this.#turn !== null) return this.#refuse(responseActive(), clientEventId)
    const { model } = this.#line.candidate
    const contextMax = realtimeInputMax(model)
    const event = { type: 'response.create', response }
    this.#meter.addEvent(event)
    const arrival = this.#arrivalOf({
      model: model.id,
      event,
      input_tokens_max: refersToItems(response) ? contextMax : Math.min(this.#meter.tokensMax, contextMax),
      output_tokens_max: this.#capOf(response),
    })
    const turn = new Turn({ ...this.#deps.realtime, nowMs: this.#deps.nowMs }, this.#line, { arrival, clientEventId })
    this.#turn = turn
    try {
      this.#beginning = this.#deps.realtime.begin(this.#line, arrival, (ticket) => this.#start(turn, ticket))
      await this.#beginning
    } catch (error) {
      this.#turn = null
      turn.drop()
      this.#refuse(error, clientEventId)
    } finally {
      this.#beginning = null
    }
  }

  #capOf({ max_output_tokens: asked }: JsonObject): number {
    const wish = typeof asked === 'number' ? asked : asked === 'inf' ? null : this.#askedTokensMax
    return Math.min(wish ?? this.#outputTokensMax, this.#outputTokensMax)
  }

  #start(turn: Turn, ticket: Ticket): void {
    turn.ticket = ticket
    this.#upstreamHeardAtMs = this.#deps.nowMs()
    // The session ended while the hold was being placed, and refunds it.
    if (this.#isOver) return
    turn.isSent = true
    const { body } = ticket.plan.call
    const response = { ...objectAt(objectAt(body, 'event'), 'response'), max_output_tokens: body.output_tokens_max }
    this.#line.upstream.send(
      JSON.stringify({ type: 'response.create', event_id: ownIdPrefix + turn.arrival.generationId, response }),
    )
    this.#deps.realtime.watchStop(ticket, ({ reason }) => {
      const run = ticket.principal.attribution?.run?.externalId ?? ''
      void this.end(closeCodes.policy, cutOffByStop(run, reason))
    })
  }

  #hearUpstream(text: string): void | Promise<void> {
    this.#upstreamHeardAtMs = this.#deps.nowMs()
    const event = parseJsonObject(text)
    if (event === undefined) return
    switch (event.type) {
      // The limits of the operator's account.
      case 'rate_limits.updated':
        return
      case 'session.updated':
        return this.#tell({ ...event, session: this.#shown(objectAt(event, 'session')) })
      case 'response.created':
        return this.#created(event, text)
      case 'response.done':
        return this.#done(event)
      case 'error':
        return this.#failed(event)
      case 'input_audio_buffer.speech_stopped':
        this.#spokenItem = stringAt(event, 'item_id') ?? null
        return this.#relay(text)
      case 'input_audio_buffer.committed':
        this.#meter.addItem()
        this.#relay(text)
        return this.#answerSpeech(event)
      default:
        if (event.delta !== undefined) this.#turn?.noteOutput()
        return this.#relay(text)
    }
  }

  /** The upstream would start this response itself, before it has a hold; so the gateway starts it. */
  #answerSpeech(committed: JsonObject): void | Promise<void> {
    if (!this.#answersSpeech || this.#isOver || this.#spokenItem === null) return
    if (this.#spokenItem !== stringAt(committed, 'item_id')) return
    this.#spokenItem = null
    if (this.#turn === null) return this.#respond({}, null)
    this.#isAnswerDue = true
  }

  #created(event: JsonObject, text: string): void {
    const id = stringAt(objectAt(event, 'response'), 'id')
    const turn = this.#turn
    if (turn?.ticket == null || turn.responseId !== null || id === undefined) return this.#breakOff(unheld(id))
    turn.responseId = id
    this.#relay(text)
  }

  async #done(event: JsonObject): Promise<void> {
    const response = objectAt(event, 'response')
    const turn = this.#turn
    if (turn === null || turn.responseId !== stringAt(response, 'id')) return this.#breakOff(unheld(response.id))
    try {
      const cost = await turn.answer(response, { cancelled: this.#isOver })
      this.#meter.addItem(countAt(objectAt(response, 'usage'), 'output_tokens') ?? this.#outputTokensMax)
      this.#turn = null
      this.#relay(doneEvent(event, { generationId: turn.publicId, cost }))
    } catch (error) {
      this.#turn = null
      return this.#breakOff(asGatewayError(error))
    }
    if (!this.#isAnswerDue || this.#isOver) return
    this.#isAnswerDue = false
    return this.#respond({}, null)
  }

  async #failed(event: JsonObject): Promise<void> {
    const eventId = stringAt(objectAt(event, 'error'), 'event_id') ?? null
    const secrets = accountSecrets(this.#line.candidate.account)
    const turn = this.#turn
    // An error about a response that has started is followed by its `response.done`.
    if (turn?.responseId !== null || eventId !== ownIdPrefix + turn.arrival.generationId) {
      return this.#relay(upstreamErrorEvent(event, secrets, eventId))
    }
    await turn.abandon('upstream_rejected', null)
    this.#turn = null
    this.#relay(upstreamErrorEvent(event, secrets, turn.clientEventId))
  }

  #breakOff(error: GatewayError): void {
    this.#deps.onFault(error)
    void this.end(closeCodes.internal, error)
  }

  #shown(session: JsonObject): JsonObject {
    return shownSession(session, { model: this.#line.candidate.model.id, answersSpeech: this.#answersSpeech })
  }

  #tell(event: JsonObject): void {
    this.#relay(JSON.stringify(event))
  }

  #relay(text: string): void {
    // The last words of an upstream are heard in any case, because they state its usage.
    if (this.#isOver && this.#isFull) return
    this.#client.send(text)
    if (this.#isFull && !this.#isOver) this.#fromUpstream.block()
  }

  #refuse(error: unknown, eventId: string | null): void {
    const refusal = asGatewayError(error)
    if (this.#isOver) return
    this.#deps.onRefused(refusal)
    if (endsSession(refusal)) return void this.end(closeCodes.policy, refusal)
    this.#tellError(refusal, eventId)
  }

  #tellError(error: GatewayError, eventId: string | null): void {
    this.#relay(errorEvent(error, { id: newUuid(this.#deps.nowMs()), eventId }))
  }
}
