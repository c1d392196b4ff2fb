/** User and group id of processes in the image. It has no name there and is not a Debian user. */
export const imageUser = 65_532
