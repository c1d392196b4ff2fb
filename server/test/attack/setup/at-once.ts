/** Processes the items with this concurrency. */
export async function atOnce<T>(items: Iterable<T>, count: number, work: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = items[Symbol.iterator]()
  const worker = async (): Promise<void> => {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: count }, worker))
}
