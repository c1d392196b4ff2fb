const document = JSON.stringify(
  Array.from({ length: 2_500 }, (_, at) => ({ id: at, name: `name ${at}`, list: [at, 'x'] })),
)

// Kernels may count CPU in ticks of 4 ms, and one pass takes about 2.
const passes = 20

/** Measures the CPU time of a fixed piece of work: other load on the machine slows it as much as an input. */
export function measurePassMs(): number {
  const startedMs = threadCpuMs()
  for (let pass = 0; pass < passes; pass += 1) readDocument()
  return (threadCpuMs() - startedMs) / passes
}

/** CPU time of this thread only. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** The work of parsers: reading text, and creating and dropping objects. */
function readDocument(): void {
  const text = JSON.stringify(JSON.parse(document))
  let sum = 0
  for (let at = 0; at < text.length; at += 1) sum += text.charCodeAt(at)
  if (sum === 0) throw new Error('the yardstick is broken')
}
