import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'

const maps = new Map()

/**
 * Makes stack traces name files and lines of the repository. A source map is read when the first stack passes through
 * its module: Node's own support reads all of them at startup and keeps 14 MB.
 */
export function mapStacks() {
  Error.prepareStackTrace = (error, frames) => [headOf(error), ...frames.map((frame) => `    at ${lineOf(frame)}`)].join('\n')
}

function headOf(error) {
  try {
    return Error.prototype.toString.call(error)
  } catch {
    return 'Error'
  }
}

function lineOf(frame) {
  const url = frame.getFileName() ?? ''
  const origin = url.startsWith('file:') ? mapOf(url)?.findOrigin(frame.getLineNumber(), frame.getColumnNumber()) : undefined
  if (origin?.fileName === undefined) return String(frame)
  const place = `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}`
  const name = frame.getFunctionName()
  return name === null ? place : `${name} (${place})`
}

function mapOf(url) {
  if (!maps.has(url)) maps.set(url, readMap(url))
  return maps.get(url)
}

function readMap(url) {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${url}.map`), 'utf8')))
  } catch {
    return undefined
  }
}
