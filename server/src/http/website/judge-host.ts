import type { FastifyRequest } from 'fastify'

/** Whether pages for people may be shown on the host of a request. */
export type HostJudge = (request: FastifyRequest) => boolean

/**
 * The API's host is for programs: if the operator configures the website's host, only the website's host shows pages.
 */
export function createHostJudge(publicOrigin: string | null): HostJudge {
  if (publicOrigin === null) return () => true
  const { host } = new URL(publicOrigin)
  return (request) => request.headers.host === host
}
