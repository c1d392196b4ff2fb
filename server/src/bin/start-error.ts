/** Why a process or a command cannot work, in one sentence for the operator. */
export class StartError extends Error {}
