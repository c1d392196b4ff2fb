import type { FastifyInstance } from 'fastify'
import { addSite } from '../website/add-site.ts'
import { createHostJudge } from '../website/judge-host.ts'

export interface DocsDeps {
  /** The built documentation; null if it is disabled or was not built. */
  readonly site: DocsSite | null
  /** The public origin; null to use the request's host. */
  readonly publicOrigin: string | null
}

export interface DocsSite {
  readonly folder: string
  /** Paths of the pages without extension, such as `/decisions/money`. */
  readonly pages: ReadonlySet<string>
}

/** The documentation under `/docs/`: one file per page, whose URL has no extension. */
export function addDocs(server: FastifyInstance, { site, publicOrigin }: DocsDeps): void {
  if (site === null) return
  addSite(server, {
    name: 'The documentation',
    prefix: '/docs',
    folder: site.folder,
    publicOrigin,
    judgeHost: createHostJudge(publicOrigin),
    pageOf: (path) => {
      const place = path.replace(/\/$/, '')
      const page = [place, `${place}/index`].find((name) => site.pages.has(name))
      return page === undefined ? { file: '404.html', status: 404 } : { file: `${page}.html`, status: 200 }
    },
  })
}
