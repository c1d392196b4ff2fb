/** Tells the parent process over the IPC channel that this one is ready, as `npm run dev` needs. */
export function announceReady(): void {
  process.send?.('ready')
}
