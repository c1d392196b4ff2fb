/**
 * Keeps one core busy until its standard input ends. The parent process holds the other end of the pipe, so a burner
 * never outlives it, even if the parent is killed.
 */
const sliceMs = 20

function burn(): void {
  const untilMs = performance.now() + sliceMs
  while (performance.now() < untilMs);
  // Between two slices the process can notice that its input has ended.
  setImmediate(burn)
}

process.stdin.on('end', () => process.exit())
process.stdin.resume()
burn()
