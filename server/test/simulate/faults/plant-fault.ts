import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { faultNamed, replaceIn } from './faults.ts'

const serverFolder = join(import.meta.dirname, '../../..')

/** Changes the source of a module at load time; the file itself stays unchanged. */
export function plantFault(name: string): void {
  const fault = faultNamed(name)
  if (!('file' in fault.where)) return
  const target = pathToFileURL(join(serverFolder, fault.where.file)).href
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context)
      if (url !== target) return loaded
      return { ...loaded, source: replaceIn(String(loaded.source), fault) }
    },
  })
}
