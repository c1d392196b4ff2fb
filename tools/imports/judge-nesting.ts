import type { Finding } from '../lib/finding.ts'
import { type Module, sourceFolder } from './read-modules.ts'

const pipeline = `${sourceFolder}pipeline/`

/** The files that compose the stages. Other files beside the stages are shared by them. */
const composers = new Set(['run.ts', 'quote.ts', 'create-pipeline.ts'])

/**
 * In the pipeline, a stage imports only files that are nested in it and files that all stages share, and nested files
 * do not import the stage around them. Only the pipeline's composers import stages.
 */
export function judgeNesting(modules: readonly Module[]): Finding[] {
  return modules.flatMap(({ path, imports }) => {
    const from = placeOf(path)
    if (from === undefined || (from.folder === '' && composers.has(from.name))) return []
    return imports.flatMap(({ target, line }) => {
      const to = target === undefined ? undefined : placeOf(target)
      if (to === undefined || isWithin(to.folder, from.folder)) return []
      const where = from.folder === '' ? 'shared by all stages' : `in ${from.folder}`
      const message = `${where}, but imports ${to.folder}${to.name}`
      return [{ rule: 'stage', path, line, message }]
    })
  })
}

/** `folder` is relative to the pipeline, with a slash at its end, or empty for the pipeline itself. */
function placeOf(path: string): { folder: string; name: string } | undefined {
  if (!path.startsWith(pipeline)) return undefined
  const place = path.slice(pipeline.length)
  const end = place.lastIndexOf('/') + 1
  return { folder: place.slice(0, end), name: place.slice(end) }
}

function isWithin(folder: string, around: string): boolean {
  return folder === '' || (around !== '' && folder.startsWith(around))
}
