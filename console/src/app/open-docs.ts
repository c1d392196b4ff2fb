/** Opens the documentation, which the gateway serves beside the console, in another tab. */
export function openDocs(): void {
  window.open('/docs/', '_blank', 'noreferrer')
}
