/** The shortest input found that still does the same, by leaving out pieces of half of it, then of a quarter, and so on. */
export async function minimise(
  input: Buffer,
  doesTheSame: (candidate: Buffer) => Promise<boolean>,
  triesMax: number,
): Promise<Buffer> {
  let least = input
  let tries = 0
  for (let size = Math.ceil(least.length / 2); size >= 1 && tries < triesMax; size = Math.floor(size / 2)) {
    for (let at = 0; at < least.length && tries < triesMax; tries += 1) {
      const shorter = Buffer.concat([least.subarray(0, at), least.subarray(at + size)])
      if (await doesTheSame(shorter)) least = shorter
      else at += size
    }
  }
  return least
}
