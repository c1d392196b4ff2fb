import { threadCpuMs } from './yardstick.ts'

const triesMax = 400
const cpuMaxMs = 10_000

/** Finds the shortest input with the same effect, by removing pieces of half of it, then of a quarter, and so on. */
export async function minimise(input: Buffer, doesTheSame: (candidate: Buffer) => Promise<boolean>): Promise<Buffer> {
  let least = input
  let tries = 0
  const endMs = threadCpuMs() + cpuMaxMs
  const goesOn = (): boolean => tries < triesMax && threadCpuMs() < endMs
  for (let size = Math.ceil(least.length / 2); size >= 1 && goesOn(); size = Math.floor(size / 2)) {
    for (let at = 0; at < least.length && goesOn(); tries += 1) {
      const shorter = Buffer.concat([least.subarray(0, at), least.subarray(at + size)])
      if (await doesTheSame(shorter)) least = shorter
      else at += size
    }
  }
  return least
}
