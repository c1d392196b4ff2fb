import type { FastifyRequest } from 'fastify'
import { clientNetwork } from '#domain/access/client-network.ts'
import type { ErrorName } from '#errors/catalogue.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import type { Timers } from '#lib/timers.ts'

interface RefusalReportDeps {
  readonly clientIp: (request: FastifyRequest) => string | null
  readonly timers: Timers
  /** Called for every error. */
  readonly count: (error: ErrorName) => void
  readonly log: {
    info(event: object, message: string): void
    error(event: object, message: string): void
  }
}

// Lines per error, client address and second. In a flood, rejecting costs less than logging.
const linesMax = 20
const spanMs = 1_000

/**
 * Logs errors before there is anything to record, at a higher level if they are our fault. In a flood from one address,
 * the first errors of a second are logged, and one line at its end says how many were left out.
 */
export function createRefusalReporter(deps: RefusalReportDeps): (request: FastifyRequest, error: GatewayError) => void {
  const { clientIp, timers, count, log } = deps
  let countOf = new Map<string, { readonly error: GatewayError; lines: number }>()

  const endSpan = (): void => {
    const counts = countOf
    countOf = new Map()
    for (const { error, lines } of counts.values()) {
      if (lines <= linesMax) continue
      write(error, { error: error.errorName, leftOut: lines - linesMax }, 'further errors of this kind were not logged')
    }
  }
  const mayWrite = (request: FastifyRequest, error: GatewayError): boolean => {
    if (countOf.size === 0) timers.after(spanMs, endSpan).unref()
    const subject = `${error.errorName} ${clientNetwork(clientIp(request))}`
    const counted = countOf.get(subject) ?? { error, lines: 0 }
    counted.lines += 1
    countOf.set(subject, counted)
    return counted.lines <= linesMax
  }
  const write = (error: GatewayError, event: object, message: string): void =>
    isFault(error) ? log.error(event, message) : log.info(event, message)

  return (request, error) => {
    const { errorName, inside } = error
    count(errorName)
    if (isCausedByClient(error) && !mayWrite(request, error)) return
    const traced = request.trace === null ? {} : { traceId: request.trace.traceId }
    const event = { requestId: request.id, ...traced, path: request.routeOptions.url, error: errorName, inside }
    write(error, event, isFault(error) ? error.message : 'refused')
  }
}

/** Every error of ours or of an upstream is logged. */
function isCausedByClient({ row, errorName }: GatewayError): boolean {
  return row.status < 500 || errorName === 'overloaded' || errorName === 'mailNotConfigured'
}

/** A gateway without a mail server works as configured, and anyone can ask it for a code. */
function isFault({ row, errorName }: GatewayError): boolean {
  return row.status >= 500 && errorName !== 'mailNotConfigured'
}
