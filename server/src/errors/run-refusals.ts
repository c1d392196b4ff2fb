import { GatewayError } from './gateway-error.ts'

export function tooManyRuns(max: number): GatewayError {
  return new GatewayError('tooManyRuns', {
    message: `The account has the maximum of ${max} runs. Reuse the id of a known run, or ask the operator to raise the maximum.`,
  })
}

export function cutOffByStop(externalId: string, reason: string | null): GatewayError {
  const why = reason === null ? '' : ` Reason: ${reason}`
  return new GatewayError('runStopped', {
    message: `The run ${externalId} was stopped, so the response was cut off.${why}`,
    boundBy: 'run',
  })
}

export function runStopped(externalId: string, reason: string | null): GatewayError {
  const why = reason === null ? '' : ` Reason: ${reason}`
  return new GatewayError('runStopped', {
    message: `The run ${externalId} is stopped and accepts no more requests. Use another run id to continue.${why}`,
    boundBy: 'run',
  })
}
