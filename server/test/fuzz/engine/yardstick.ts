const document = JSON.stringify(
  Array.from({ length: 2_500 }, (_, at) => ({ id: at, name: `name ${at}`, list: [at, 'x'] })),
)

// Kernels may count CPU in ticks of 4 ms, and one pass takes about 2.
const passes = 20

/** CPU that a fixed piece of work takes now: other work on the machine slows it as much as it slows an input. */
export function measurePassMs(): number {
  const startedMs = threadCpuMs()
  for (let pass = 0; pass < passes; pass += 1) readDocument()
  return (threadCpuMs() - startedMs) / passes
}

/** CPU of this thread alone. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** What parsers do: reading text, and making and dropping objects. */
function readDocument(): void {
  const text = JSON.stringify(JSON.parse(document))
  let sum = 0
  for (let at = 0; at < text.length; at += 1) sum += text.charCodeAt(at)
  if (sum === 0) throw new Error('the yardstick is broken')
}
