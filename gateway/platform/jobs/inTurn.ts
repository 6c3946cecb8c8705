/** Works on rows in batches, one after the other, each e.g. in a short transaction of its own; `told` hears of the rows that were done. */
export async function inTurn<Row>(
  rows: readonly Row[],
  size: number,
  told: (rows: number) => void,
  work: (some: readonly Row[]) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += size) {
    const some = rows.slice(start, start + size)
    await work(some)
    told(some.length)
  }
}
