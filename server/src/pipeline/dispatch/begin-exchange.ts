import type { Candidate } from '#domain/routing/candidates.ts'
import { onceHere } from '#lib/eventually.ts'
import type { UpstreamRequest, Upstreams } from '#ports/upstream.ts'
import type { ResponseHeaders, UpstreamRefusal } from '#providers/refusal.ts'
import type { AnswerListener, AnswerReader, Ticket } from '../types.ts'
import { Attempt } from './attempt/attempt.ts'
import type { DispatchDeps } from './dispatch-deps.ts'

/** The dependencies of an attempt with one request and one response, whose bytes are read as they arrive. */
export interface ExchangeDeps {
  upstreams: Upstreams
  prepare: (ticket: Ticket, candidate: Candidate) => PreparedRequest | Promise<PreparedRequest>
  makeReader: (ticket: Ticket, candidate: Candidate, contentType: string, listener: AnswerListener) => AnswerReader
  readFailure: (
    ticket: Ticket,
    candidate: Candidate,
  ) => (status: number, headers: ResponseHeaders, bodyText: string) => UpstreamRefusal
}

export interface PreparedRequest {
  request: UpstreamRequest
  ignored: readonly string[]
}

export function createBeginExchange(deps: ExchangeDeps): DispatchDeps['begin'] {
  return (ticket, candidate, watcher) => {
    const begin = ({ request, ignored }: PreparedRequest) => ({
      attempt: new Attempt({
        ticket,
        request,
        upstreams: deps.upstreams,
        makeReader: (contentType, listener) => deps.makeReader(ticket, candidate, contentType, listener),
        readFailure: deps.readFailure(ticket, candidate),
        watcher,
      }),
      ignored,
    })
    return onceHere(deps.prepare(ticket, candidate), begin)
  }
}
