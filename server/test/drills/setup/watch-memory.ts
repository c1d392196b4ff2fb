import { readResources } from './process-resources.ts'

const everyMs = 50

/** Samples a process's memory until it is stopped, and returns the peak. */
export function watchMemory(pid: number): { stop(): number } {
  let peakKb = 0
  const timer = setInterval(() => {
    readResources(pid).then(
      ({ rssKb }) => {
        peakKb = Math.max(peakKb, rssKb)
      },
      () => {},
    )
  }, everyMs)
  return {
    stop: () => {
      clearInterval(timer)
      return peakKb
    },
  }
}
