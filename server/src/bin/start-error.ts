/** Why a process or a command cannot do its work, in one sentence for the operator. */
export class StartError extends Error {}
