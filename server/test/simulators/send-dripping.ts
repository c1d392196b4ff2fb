import type { Writable } from 'node:stream'

/**
 * Writes the parts one by one with a pause before each, or all at once without one; stops when the peer has
 * disconnected.
 */
export function sendDripping(target: Writable, parts: Buffer[], delayMs: number, finish: () => void): void {
  if (delayMs === 0) {
    target.cork()
    for (const part of parts) target.write(part)
    target.uncork()
    finish()
    return
  }
  let position = 0
  const timer = setInterval(() => {
    const part = parts[position]
    position += 1
    if (part !== undefined && !target.destroyed) {
      target.write(part)
      return
    }
    clearInterval(timer)
    if (!target.destroyed) finish()
  }, delayMs)
}
