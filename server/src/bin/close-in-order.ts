/** Runs all closers in order. If one fails, the rest still run, and the first error is thrown at the end. */
export async function closeInOrder(closers: readonly (() => unknown)[]): Promise<void> {
  const failures: unknown[] = []
  for (const close of closers) {
    try {
      await close()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}
