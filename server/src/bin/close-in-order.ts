/** Closes all of them in order. A failed close does not keep the rest open; the first failure is thrown at the end. */
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
