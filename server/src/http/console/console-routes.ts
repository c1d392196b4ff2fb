import type { FastifyInstance } from 'fastify'
import { addSite } from '../website/add-site.ts'
import { createHostJudge } from '../website/judge-host.ts'

export interface ConsoleDeps {
  /** The folder of the built console; null where it is off or was not built. */
  readonly folder: string | null
  /** Where people reach us; null: wherever the request says. */
  readonly publicOrigin: string | null
}

/**
 * The console under `/console/`: files from a folder, and for every other path there its one page, which knows the
 * routes. A browser that opens the bare host is sent there.
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
