import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { CpuProfile, ProfileNode } from './cpu-profile.ts'

/** Names the source files of a build's functions, by the source maps beside its modules. */
export function mapSources(profile: CpuProfile): CpuProfile {
  const maps = new Map<string, SourceMap | null>()
  const mapOf = (url: string): SourceMap | null => {
    const map = maps.has(url) ? (maps.get(url) ?? null) : readMap(url)
    maps.set(url, map)
    return map
  }
  const nodes = profile.nodes.map((node) => ({ ...node, callFrame: mapFrame(node.callFrame, mapOf) }))
  return { ...profile, nodes }
}

/** Null for a file without a source map, such as the bench's own. */
function readMap(url: string): SourceMap | null {
  const file = url.startsWith('file:') ? `${fileURLToPath(url)}.map` : ''
  return existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : null
}

function mapFrame(frame: ProfileNode['callFrame'], mapOf: (url: string) => SourceMap | null): ProfileNode['callFrame'] {
  const entry = mapOf(frame.url)?.findEntry(frame.lineNumber, frame.columnNumber)
  return entry !== undefined && 'originalSource' in entry ? { ...frame, url: `/${entry.originalSource}` } : frame
}
