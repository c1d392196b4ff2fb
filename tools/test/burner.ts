/**
 * Burns one core until its standard input ends. The other end of that pipe belongs to the process that started it, so a
 * burner never outlives that process, even when it is killed.
 */
const sliceMs = 20

function burn(): void {
  const untilMs = performance.now() + sliceMs
  while (performance.now() < untilMs);
  // Between two slices the process notices that its input has ended.
  setImmediate(burn)
}

process.stdin.on('end', () => process.exit())
process.stdin.resume()
burn()
