import type { FastifyInstance } from 'fastify'
import { addSite } from '../website/add-site.ts'
import { createHostJudge } from '../website/judge-host.ts'

export interface DocsDeps {
  /** The built documentation; null where it is off or was not built. */
  readonly site: DocsSite | null
  /** Where people reach us; null: wherever the request says. */
  readonly publicOrigin: string | null
}

export interface DocsSite {
  readonly folder: string
  /** Paths of its pages without their ending, such as `/decisions/money`. */
  readonly pages: ReadonlySet<string>
}

/** The documentation under `/docs/`: a file for each page, whose address has no ending. */
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
