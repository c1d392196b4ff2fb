/** The user and group of processes in the image. It has no name there and is no user of Debian's. */
export const imageUser = 65_532
