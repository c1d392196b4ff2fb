/** Why a process or a command can not do its work, in one sentence for the operator. */
export class StartError extends Error {}
