import { readFileSync, statSync } from 'node:fs'

const lookEveryMs = 1_000

/**
 * The content of a small system file, reread after it changes. It is read synchronously: that takes microseconds, while
 * libuv's threads may be busy for long. A missing file is empty.
 */
export function watchFile<Content>(path: string, parse: (text: string) => Content, nowMs: () => number): () => Content {
  let lookedAtMs = Number.NEGATIVE_INFINITY
  let version = ''
  let content = parse('')
  return () => {
    if (Math.abs(nowMs() - lookedAtMs) < lookEveryMs) return content
    lookedAtMs = nowMs()
    const current = versionOf(path)
    if (current !== version) {
      content = parse(textOf(path))
      version = current
    }
    return content
  }
}

function versionOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats === undefined ? '' : `${stats.ino} ${stats.mtimeMs} ${stats.size}`
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
