/** Tells the process that started this one over a channel, as `npm run dev` does, that it is ready. */
export function announceReady(): void {
  process.send?.('ready')
}
