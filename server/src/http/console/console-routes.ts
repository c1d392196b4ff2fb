import type { FastifyInstance } from 'fastify'
import { addSite } from '../website/add-site.ts'
import { createHostJudge } from '../website/judge-host.ts'

export interface ConsoleDeps {
  /** The folder of the built console; null if it is disabled or was not built. */
  readonly folder: string | null
  /** The public origin; null to use the request's host. */
  readonly publicOrigin: string | null
}

/**
 * The console under `/console/`: files from a folder, and its single page for every other path. A browser that opens
 * the bare host is redirected there.
 */
export function addConsole(server: FastifyInstance, { folder, publicOrigin }: ConsoleDeps): void {
  if (folder === null) return
  const judgeHost = createHostJudge(publicOrigin)
  server.get('/', async (request, reply) => {
    if (request.headers.accept?.includes('text/html') !== true || !judgeHost(request)) return reply.callNotFound()
    return reply.redirect('/console/', 302)
  })
  addSite(server, {
    name: 'The console',
    prefix: '/console',
    folder,
    publicOrigin,
    judgeHost,
    pageOf: () => ({ file: 'index.html', status: 200 }),
  })
}
